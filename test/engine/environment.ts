import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads these when it is loaded.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'stablecoin-ramp-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL = 'silent';

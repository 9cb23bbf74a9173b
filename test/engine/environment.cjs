import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../node_modules/.cache/engine');
const userFolder = join(cache, process.env.JEST_WORKER_ID ?? '1');
mkdirSync(userFolder, { recursive: true });

// n8n-core reads these when it is loaded.
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL = 'silent';

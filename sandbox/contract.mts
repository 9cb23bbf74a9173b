import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

export const operationNames = [
	'buy',
	'sell',
	'liveVendors',
	'testVendors',
	'listVendors',
	'otcRates',
	'usdcRates',
] as const;
export type OperationName = (typeof operationNames)[number];

/** The two addresses of the service. */
export type Host = 'base' | 'otc';

export interface Operation {
	name: OperationName;
	host: Host;
	method: 'GET' | 'POST';
	path: string;
	/** Reference into the contract, for `validator`; absent where no body is sent. */
	body?: { $ref: string };
}

interface OperationObject {
	operationId: OperationName;
	requestBody?: object;
	responses: Record<string, object>;
}
interface PathItem {
	servers?: object[];
	get?: OperationObject;
	post?: OperationObject;
}

export const contract = parse(
	readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'),
) as Record<string, unknown> & { paths: Record<string, PathItem> };

/** Compiles schemas that may refer to the contract as `contract#/…`. No coercion: "15000" is no number. */
export const validator = new Ajv2020({
	strict: false,
	allErrors: true,
	// A third of the starting time; the tests check the schemas themselves.
	validateSchema: false,
}).addSchema(contract, 'contract');

const pointer = (...parts: string[]) =>
	`contract#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;

export const operations: Operation[] = Object.entries(contract.paths).flatMap(([path, item]) =>
	(['get', 'post'] as const).flatMap((verb) => {
		const described = item[verb];
		if (!described) return [];
		return {
			name: described.operationId,
			// Only the OTC path names a server of its own.
			host: item.servers ? 'otc' : 'base',
			method: verb === 'get' ? 'GET' : 'POST',
			path,
			...(described.requestBody && {
				body: {
					$ref: pointer(
						'paths',
						path,
						verb,
						'requestBody',
						'content',
						'application/json',
						'schema',
					),
				},
			}),
		};
	}),
);

import { endpoints } from '../../client/endpoints';

/** Every operation of the node, with its resource. */
export const allOperations = Object.entries(endpoints).flatMap(([resource, all]) =>
	Object.keys(all).map((operation): [string, string] => [resource, operation]),
);

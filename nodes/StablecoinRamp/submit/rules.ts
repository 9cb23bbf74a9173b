import type { TransactionOperation } from '../../../client/endpoints';

interface Rules {
	/** What the service wants in `type`, where it is always the same. */
	fixedType?: string;
	minimum?: number;
	hasVendor: boolean;
	canSimplify: boolean;
	/** Where the service does not say which fields are required, only strict checks ask for them. */
	requiresAll: boolean;
	/** Where the answer is not documented, any object will do. */
	answersWithTransaction: boolean;
}

/** How a buy and a sell differ, apart from their fields. */
export const rules: Record<TransactionOperation, Rules> = {
	buy: {
		fixedType: 'buy_ramp',
		minimum: 15000,
		hasVendor: true,
		canSimplify: true,
		requiresAll: true,
		answersWithTransaction: true,
	},
	sell: {
		hasVendor: false,
		canSimplify: false,
		requiresAll: false,
		answersWithTransaction: false,
	},
};

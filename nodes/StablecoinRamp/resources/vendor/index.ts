import type { INodeProperties } from 'n8n-workflow';

import { type VendorOperation, declaredRequest, endpoints } from '../../service/endpoints';
import { apiError } from '../../service/n8nErrors';
import { readOncePerRun, type Shape } from '../../service/readOncePerRun';
import { testVendorsIn, vendorsIn } from './vendors';

const oneItemPerVendor =
	(vendors: typeof vendorsIn): Shape =>
	(context, body) => {
		const read = vendors(body);
		if (!read.ok) throw apiError(context.getNode(), read);
		return read.list;
	};

const routing = (operation: VendorOperation, vendors = vendorsIn) => ({
	request: declaredRequest(endpoints.vendor[operation]),
	send: { paginate: true },
	operations: {
		pagination: readOncePerRun(endpoints.vendor[operation], oneItemPerVendor(vendors)),
	},
});

export const vendorDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['vendor'] } },
		options: [
			{
				name: 'Get Live Vendors',
				value: 'live',
				action: 'Get many live vendors',
				description: 'Read the accounts that a buyer pays into',
				routing: routing('live'),
			},
			{
				name: 'Get Test Vendors',
				value: 'test',
				action: 'Get many test vendors',
				description: 'Read the test accounts. Their shape is not documented by the service.',
				routing: routing('test', testVendorsIn),
			},
			{
				name: 'Get Vendors by Other Path',
				value: 'list',
				action: 'Get many vendors by other path',
				description:
					'Read vendors from list_vendors, a second path that the service names. Use it only if the service tells you to: whether it differs from the live vendors is not documented.',
				routing: routing('list'),
			},
		],
		default: 'live',
	},
];

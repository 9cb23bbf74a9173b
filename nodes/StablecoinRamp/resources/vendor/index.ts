import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../../client/endpoints';
import { expectOk } from '../../../../client/n8nErrors';
import { readRouting, type Shape } from '../readOncePerRun';
import { vendorsOfAnyShape, vendorsIn } from '../../../../client/vendors';

const oneItemPerVendor =
	(vendors: typeof vendorsIn): Shape =>
	(context, { body }) =>
		expectOk(context.getNode(), vendors(body));

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
				routing: readRouting(endpoints.vendor.live, oneItemPerVendor(vendorsIn)),
			},
			{
				name: 'Get Test Vendors',
				value: 'test',
				action: 'Get many test vendors',
				description: 'Read the test accounts. Their shape is not documented by the service.',
				routing: readRouting(endpoints.vendor.test, oneItemPerVendor(vendorsOfAnyShape)),
			},
			{
				name: 'Get Vendors by Other Path',
				value: 'list',
				action: 'Get many vendors by other path',
				description:
					'Read vendors from list_vendors, a second path that the service names. Use it only if the service tells you to: whether it differs from the live vendors is not documented.',
				routing: readRouting(endpoints.vendor.list, oneItemPerVendor(vendorsOfAnyShape)),
			},
		],
		default: 'live',
	},
];

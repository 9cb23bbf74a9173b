import { quote, refuse, type Refusal } from './verdict';

export const networks = ['Stellar', 'Polygon', 'Solana', 'Avalanche'] as const;

export type Network = (typeof networks)[number];

export const isNetwork = (value: unknown): value is Network =>
	networks.some((network) => network === value);

export const refuseNetwork = (value: unknown): Refusal =>
	refuse(
		`'Network' is ${quote(value)}, which is none of ${networks.join(', ')}`,
		`Choose one of ${networks.join(', ')} in 'Network'`,
	);

export const copyAgain = "Copy the address again from the wallet into 'Wallet Address'";

export const networks = ['Stellar', 'Polygon', 'Solana', 'Avalanche'] as const;

export type Network = (typeof networks)[number];

export const copyAgain = "Copy the address again from the wallet into 'Wallet Address'";

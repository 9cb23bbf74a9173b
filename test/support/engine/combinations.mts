type Choices = Record<string, readonly unknown[]>;

/** Every combination of one value for each name. */
export const product = <C extends Choices>(
	choices: C,
): Array<{ [Name in keyof C]: C[Name][number] }> =>
	Object.entries(choices).reduce<object[]>(
		(all, [name, values]) =>
			all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
		[{}],
	) as never;

const isQuick = process.env.QUICK === 'true';
// No number that the tests have a multiple of, so that what is left of a product has everything in it.
const share = 11;

/** How often something random is tried: `npm run test:quick` tries less, `npm test` all of it. */
export const times = (count: number): number => (isQuick ? Math.ceil(count / share) : count);

/** Which of many cases are tried. */
export const someOf = <T,>(cases: T[]): T[] =>
	isQuick ? cases.filter((_, index) => index % share === 0) : cases;

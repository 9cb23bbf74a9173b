import { hideKey } from '../../../client/masking';

const key = 'a-long-"key"\\1';

it('hides the key wherever it stands in an answer, also as a name', () => {
	const body = {
		said: `your key ${key} is fine`,
		[key]: 1,
		list: [key, { [`x${key}`]: null, deep: [{ value: key }] }],
		number: 5,
		yes: true,
	};
	expect(hideKey(body, key)).toEqual({
		said: 'your key *** is fine',
		'***': 1,
		list: ['***', { 'x***': null, deep: [{ value: '***' }] }],
		number: 5,
		yes: true,
	});
});

it('leaves everything else as it is', () => {
	const body = JSON.parse('{"__proto__": 1, "constructor": {"a": [[], {}]}}') as object;
	expect(JSON.stringify(hideKey(body, key))).toBe(JSON.stringify(body));
	expect(hideKey(undefined, key)).toBeNull();
	expect(hideKey('text', key)).toBe('text');
	expect(hideKey({ 12345678: 12345678 }, '12345678')).toEqual({ '***': 12345678 });
});

const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
	made.append(...children);
	return made;
}

const number = new Intl.NumberFormat('en-NG', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 4,
});
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Draws a part of the page again only when its data changed, so that focus and selection stay. */
const drawn = new Map();
function draw(part, data, render) {
	const now = JSON.stringify(data);
	if (drawn.get(part) === now) return;
	drawn.set(part, now);
	render(data);
}

const fields = [
	['baseUrl', 'Base URL'],
	['otcBaseUrl', 'OTC Base URL'],
	['secretKey', 'Secret Key'],
	['headerName', 'Header Name'],
	['businessId', 'Business ID'],
	['linkTag', 'Link Tag'],
];

function renderDashboard(dashboard) {
	byId('dashboard').replaceChildren(
		...fields.map(([name, label]) => {
			const value = element('dd', { id: name }, dashboard[name]);
			const button = element('button', { type: 'button', 'aria-label': `Copy ${label}` }, 'Copy');
			button.addEventListener('click', () => copy(value, button));
			return element('div', {}, element('dt', {}, label), value, button);
		}),
	);
}

async function copy(source, button) {
	try {
		await navigator.clipboard.writeText(source.textContent);
		button.textContent = 'Copied';
	} catch {
		// Browsers lend the clipboard only to secure addresses; a selection works everywhere.
		getSelection().selectAllChildren(source);
		button.textContent = 'Selected';
	}
	setTimeout(() => (button.textContent = 'Copy'), 2000);
}

const row = (cells) =>
	element(
		'tr',
		{},
		...cells.map(([label, text, kind = 'text']) =>
			element('td', { 'data-label': label, class: kind }, text),
		),
	);

function renderVendors(vendors) {
	byId('vendors').replaceChildren(
		...vendors.map(({ vendorName, vendorBank, vendorNumber }) =>
			row([
				['Name', vendorName],
				['Bank', vendorBank],
				['Account number', vendorNumber, 'fixed'],
			]),
		),
	);
}

function renderTransactions({ transactions, count }) {
	byId('transaction-count').textContent =
		count === 0
			? 'None yet. Run a buy or sell in n8n and it appears here.'
			: `${count} accepted${count > transactions.length ? `, the last ${transactions.length} shown` : ''}`;
	byId('transactions').replaceChildren(
		...transactions.toReversed().map(({ receivedAt, kind, amount, transaction_id, reference }) =>
			row([
				['Received', time.format(new Date(receivedAt)), 'fixed'],
				['Kind', kind === 'buy' ? 'Buy' : 'Sell'],
				['Amount (₦)', number.format(amount), 'number'],
				['Transaction', transaction_id, 'fixed'],
				['Reference', reference, 'long'],
			]),
		),
	);
}

function renderRates({ otc, usdc }) {
	const currencies = [...new Set([...Object.keys(otc), ...Object.keys(usdc)])];
	const shown = (rate) => (rate === undefined ? '–' : number.format(rate));
	byId('rates').replaceChildren(
		...currencies.map((currency) =>
			element(
				'tr',
				{},
				element('th', { scope: 'row' }, currency),
				element('td', { class: 'number' }, shown(otc[currency])),
				element('td', { class: 'number' }, shown(usdc[currency])),
			),
		),
	);
	draw('currencies', currencies, () => {
		const choice = byId('chart-currency');
		const chosen = choice.value;
		choice.replaceChildren(...currencies.map((currency) => new Option(currency)));
		if (currencies.includes(chosen)) choice.value = chosen;
	});
}

const svg = (tag, attributes, text = '') => {
	const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
	made.textContent = text;
	return made;
};

function renderChart({ history, currency }) {
	const sources = ['otc', 'usdc'];
	const valuesOf = (source) =>
		history.map(({ at, rates }) => ({ at: Date.parse(at), rate: rates[source][currency] }));
	const values = sources.flatMap(valuesOf).filter(({ rate }) => rate !== undefined);
	const chart = byId('chart');
	if (values.length === 0) {
		chart.replaceChildren();
		chart.setAttribute('aria-label', 'No rates to draw');
		return;
	}
	const rates = values.map(({ rate }) => rate);
	const [low, high] = [Math.min(...rates), Math.max(...rates)];
	const [first, last] = [values[0].at, Math.max(...values.map(({ at }) => at))];
	const [left, right, top, bottom] = [8, 592, 30, 160];
	const x = (at) =>
		last === first ? left : left + ((at - first) / (last - first)) * (right - left);
	const y = (rate) =>
		high === low ? (top + bottom) / 2 : bottom - ((rate - low) / (high - low)) * (bottom - top);
	chart.replaceChildren(
		svg('line', { x1: left, x2: right, y1: y(high), y2: y(high) }),
		svg('line', { x1: left, x2: right, y1: y(low), y2: y(low) }),
		svg('text', { x: left, y: y(high) - 6 }, number.format(high)),
		...(high === low ? [] : [svg('text', { x: left, y: y(low) + 24 }, number.format(low))]),
		svg('text', { x: right, y: 192, 'text-anchor': 'end' }, time.format(last)),
		...sources.map((source) => {
			const points = valuesOf(source).filter(({ rate }) => rate !== undefined);
			// A rate that never moved is still a line.
			const drawnTo = points.length === 1 ? [...points, { ...points[0], end: true }] : points;
			return svg('polyline', {
				class: source,
				points: drawnTo.map(({ at, rate, end }) => `${end ? right : x(at)},${y(rate)}`).join(' '),
			});
		}),
	);
	const latest = history.at(-1).rates;
	chart.setAttribute(
		'aria-label',
		`${currency} between ${number.format(low)} and ${number.format(high)}; now ${sources
			.map((source) => `${source.toUpperCase()} ${latest[source][currency] ?? 'none'}`)
			.join(', ')}`,
	);
}

const operationLabels = {
	any: 'Any request',
	buy: 'Buy',
	sell: 'Sell',
	liveVendors: 'Live vendors',
	testVendors: 'Test vendors',
	listVendors: 'List vendors',
	otcRates: 'OTC rates',
	usdcRates: 'USDC rates',
};

let kinds = [];
function renderFaultChoices({ kinds: given, operations }) {
	kinds = given;
	byId('fault-kind').replaceChildren(...kinds.map(({ kind, label }) => new Option(label, kind)));
	byId('fault-on').replaceChildren(
		...['any', ...operations].map((name) => new Option(operationLabels[name] ?? name, name)),
	);
	byId('fault-kind').value = 'serverError';
	renderFaultChoice();
}

function renderFaultChoice() {
	const { kind, sees, amount, accepts, choosable } = kinds.find(
		(one) => one.kind === byId('fault-kind').value,
	);
	const code = (text) => element('code', {}, text);
	byId('fault-sees').replaceChildren(
		`Your workflow meets: ${sees}. Without arming: amount `,
		code(String(amount)),
		', reference ',
		code(`fault-${kind}`),
		', or ',
		code(`+${kind}`),
		' after the secret key.',
	);
	byId('fault-accept').checked = accepts;
	byId('fault-accept').disabled = !choosable;
}

function renderArmed(armed) {
	byId('armed').replaceChildren(
		...armed.map(({ kind, on, times, skip }) => {
			const { label } = kinds.find((one) => one.kind === kind);
			const wait = skip ? `, after ${skip} more` : '';
			return element('li', {}, `${label} · ${operationLabels[on]} · ${times} to go${wait}`);
		}),
	);
	byId('fault-clear').disabled = armed.length === 0;
}

let picture;
const drawChart = () =>
	draw('chart', { history: picture.history, currency: byId('chart-currency').value }, renderChart);

function render() {
	const { dashboard, vendors, transactions, transactionCount, rates, faults, requestCount } =
		picture;
	draw('dashboard', dashboard, renderDashboard);
	draw('vendors', vendors, renderVendors);
	draw('transactions', { transactions, count: transactionCount }, renderTransactions);
	draw('rates', rates, renderRates);
	drawChart();
	const { armed, ...choices } = faults;
	draw('choices', choices, renderFaultChoices);
	draw('armed', armed, renderArmed);
	byId('request-count').textContent =
		`${requestCount} request${requestCount === 1 ? '' : 's'} seen`;
}

function connection(text, connected) {
	byId('connection').textContent = text;
	byId('connection').classList.toggle('connected', connected);
}

// EventSource connects again by itself, and every message is the whole picture.
const events = new EventSource('_sandbox/events');
events.addEventListener('open', () => connection('Connected', true));
events.addEventListener('error', () => connection('Not connected. Is the sandbox running?', false));
events.addEventListener('message', ({ data }) => {
	picture = JSON.parse(data);
	render();
});

const call = (method, path, body) =>
	fetch(`_sandbox/${path}`, {
		method,
		...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
	});

byId('downloads').prepend(
	...[
		['statement.csv', 'Bank statement'],
		['wallet.csv', 'Wallet list'],
	].map(([file, label]) => element('a', { href: `_sandbox/${file}`, download: file }, label)),
);
byId('fault-kind').addEventListener('change', renderFaultChoice);
byId('chart-currency').addEventListener('change', drawChart);
byId('arm').addEventListener('submit', (event) => {
	event.preventDefault();
	call('POST', 'faults', {
		kind: byId('fault-kind').value,
		on: byId('fault-on').value,
		times: byId('fault-times').valueAsNumber,
		accept: byId('fault-accept').checked,
	});
});
byId('fault-clear').addEventListener('click', () => call('DELETE', 'faults'));
byId('reset').addEventListener('click', () => {
	if (confirm('Forget all transactions, requests, faults and changed rates?'))
		call('POST', 'reset');
});

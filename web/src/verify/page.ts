import { accountLines } from '@sightline/evidence/bundle/accounts.ts';
import { codeHostLines } from '@sightline/evidence/bundle/code-hosts.ts';
import { nameLines } from '@sightline/evidence/bundle/names.ts';
import { redactionTexts } from '@sightline/evidence/bundle/redaction.ts';
import { stepTitles, type VerificationReport, verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import { acceptDrop, byId, bytesOf, keysIn, made, maybeBytes, showProblem, showProgress } from './elements.ts';

// A single page without framework and network, small enough to be reviewed by its users. Text of a bundle is only set
// as text.

const form = document.forms[0] as HTMLFormElement;
const bundle = byId<HTMLInputElement>('bundle');
const button = form.querySelector('button') as HTMLButtonElement;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
byId('print').addEventListener('click', () => print());
acceptDrop(byId('drop'), (files) => {
  bundle.files = files;
  void verify();
});

async function verify(): Promise<void> {
  showProblem('');
  byId('result').hidden = true;
  const file = bundle.files?.[0];
  const keys = keysIn('key');
  const witnesses = keysIn('witness');
  if (!keys || !witnesses) return;
  if (keys.length === 0) return showProblem('Enter the signing key of the ledger.');
  if (!file) return showProblem('Select a bundle.');
  button.disabled = true;
  try {
    const report = await verifyBundle(await bytesOf(file), {
      keys,
      witnesses,
      previous: await maybeBytes(byId<HTMLInputElement>('previous').files?.[0]),
      disclosureKey: await maybeBytes(byId<HTMLInputElement>('disclosure-key').files?.[0]),
      onStep: (number, title) => showProgress(`Step ${number} of ${stepTitles.length}: ${title}…`),
    });
    await showProgress('');
    show(report, file.name);
  } catch {
    await showProgress('');
    showProblem('The file is not readable.');
  } finally {
    button.disabled = false;
  }
}

const states = { ok: 'OK', failed: 'FAILED', skipped: 'Skipped' } as const;

function show({ valid, sentence, limits, steps, bundle: about, controls }: VerificationReport, name: string): void {
  const result = byId('result');
  result.className = valid ? 'valid' : 'invalid';
  byId('outcome').textContent = valid ? 'Valid' : 'Not valid';
  byId('about').textContent = about
    ? `${name}: ${about.name}, ${about.organization}, ${about.period.from} to ${about.period.to}${redactionTexts[about.redaction]}. ${codeHostLines(about.codeHosts).join('. ')}`
    : name;
  byId('people').replaceChildren(
    ...[...accountLines(about?.people ?? []), ...(about ? nameLines(about.names) : [])].map((line) => made('li', line)),
  );
  byId('sentence').textContent = sentence;
  byId('steps').replaceChildren(
    ...steps.map(({ title, state, message }) => {
      const mark = made('b', states[state]);
      mark.className = state;
      const item = made('li', '');
      item.append(mark, ` ${title}.`, made('span', message));
      return item;
    }),
  );
  byId('controls').replaceChildren(...(controls.length > 0 ? [made('h3', 'Evaluated again'), tableOf(controls)] : []));
  const list = made('ul', '');
  list.append(...limits.map((limit) => made('li', limit)));
  byId('limits').replaceChildren(...(limits.length > 0 ? [made('h3', 'Limits of this verification'), list] : []));
  result.hidden = false;
  byId('outcome').focus();
}

function tableOf(controls: VerificationReport['controls']): HTMLElement {
  const table = made('table', '');
  const rows = [
    ['Control', 'Status', 'Evaluated', 'Pass', 'Fail', 'Waived', 'Missing evidence'],
    ...controls.map(({ id, status, counts }) => [
      ...[
        id,
        statusLabels[status],
        counts.population,
        counts.pass,
        counts.fail,
        counts.waived,
        counts.missing_evidence,
      ],
    ]),
  ];
  table.append(
    ...rows.map((cells, index) => {
      const row = made('tr', '');
      row.append(...cells.map((cell) => made(index === 0 ? 'th' : 'td', String(cell))));
      return row;
    }),
  );
  const wide = made('div', '');
  wide.className = 'wide';
  wide.tabIndex = 0;
  wide.setAttribute('role', 'group');
  wide.setAttribute('aria-label', 'Controls');
  wide.append(table);
  return wide;
}

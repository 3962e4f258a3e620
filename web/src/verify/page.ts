import { accountLines } from '@sightline/evidence/bundle/accounts.ts';
import { codeHostLines } from '@sightline/evidence/bundle/code-hosts.ts';
import { nameLines } from '@sightline/evidence/bundle/names.ts';
import { redactionTexts } from '@sightline/evidence/bundle/redaction.ts';
import { stepTitles, type VerificationReport, verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import { parseVerifier, type Verifier } from '@sightline/evidence/ledger/note.ts';

// A single page without framework and network, small enough to be reviewed by its users. Text of a bundle is only set
// as text.

const byId = <E extends HTMLElement = HTMLElement>(id: string): E => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}`);
  return found as E;
};

const form = document.forms[0] as HTMLFormElement;
const drop = byId('drop');
const bundle = byId<HTMLInputElement>('bundle');
const button = form.querySelector('button') as HTMLButtonElement;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
byId('print').addEventListener('click', () => print());
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragenter' || name === 'dragover');
    if (name !== 'drop' || !event.dataTransfer?.files.length) return;
    bundle.files = event.dataTransfer.files;
    void verify();
  });
}
// A file dropped outside of its field must not replace the page.
for (const name of ['dragover', 'drop'] as const) addEventListener(name, (event) => event.preventDefault());

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

const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
const maybeBytes = (file: File | undefined): Promise<Uint8Array> | undefined => (file ? bytesOf(file) : undefined);

/** Undefined, with an error message, if a line is not a key. */
function keysIn(id: string): Verifier[] | undefined {
  const lines = byId<HTMLTextAreaElement>(id).value.split('\n');
  try {
    return lines.filter((line) => line.trim() !== '').map(parseVerifier);
  } catch (error) {
    showProblem(`${(error as Error).message}.`);
    byId(id).focus();
    return undefined;
  }
}

function showProblem(text: string): void {
  byId('problem').hidden = text === '';
  byId('problem').textContent = text;
}

/** Renders the page before the next step blocks it. */
const showProgress = (text: string): Promise<void> => {
  byId('progress').textContent = text;
  return new Promise((resolve) => setTimeout(resolve));
};

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

function made(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

import type { CanonicalValue } from '../ledger/canonical.ts';
import { recordsOfContents, type UnprovedEntry } from './files.ts';
import type { SealedFiles } from './records.ts';
import { recordedText, unrecordedRepositories } from './repositories.ts';
import type { BundleContents } from './scope.ts';
import { limitationTexts } from './sentence.ts';

/** The input of a report, which is drawn before the checkpoint that contains its hash. */
export interface ReportContents extends Pick<BundleContents, 'evaluated' | 'population' | 'anchors'> {
  readonly scope: SealedFiles['scope'];
  readonly origin: string;
  /** When the checkpoint of the evaluated tree was signed. */
  readonly evaluatedAt: string;
  readonly entries: readonly UnprovedEntry[];
  /** Of repositories, by ID. */
  readonly names: ReadonlyMap<string, string>;
  /** The data of each control, as returned by `reportOfControl`. */
  readonly controls: readonly CanonicalValue[];
}

/**
 * Builds the data of the PDF report: texts, numbers and lists, without disclosures of personal data, so that redacted
 * bundles contain the same report. `at`: time of the
 * evaluated checkpoint in seconds since 1970.
 */
export function reportOf(contents: ReportContents): { readonly at: number; readonly data: CanonicalValue } {
  const { scope, origin, evaluated, evaluatedAt } = contents;
  return {
    at: Math.floor(Date.parse(evaluatedAt) / 1000),
    data: {
      name: scope.name,
      organization: scope.org.name,
      period: { ...scope.period },
      frozen: evaluatedAt,
      scope: [
        ['Repositories', scope.repositories === null ? 'All' : scope.repositories.join(', ')],
        [
          'People',
          'This report names no person. Names, titles and reasons are in the bundle, unless they are redacted',
        ],
        ['Supersedes', scope.supersedes ?? 'None'],
      ],
      ledger: [
        ['Ledger', origin],
        ['Evaluated', `${evaluated.size} entries`],
        ['Root', evaluated.root],
      ],
      anchors: contents.anchors.map(({ kind, party, size, at }) => [kind, party, String(size), at]),
      limits: limitsHere(contents),
      controls: contents.controls,
      records: recordsHere(contents),
    },
  };
}

function limitsHere({ anchors }: Pick<ReportContents, 'anchors'>): readonly string[] {
  return [
    limitationTexts.received,
    anchors.length === 0
      ? limitationTexts.alone
      : 'Checkpoints were published to the anchors in the table. This report does not verify that. Ask the anchors.',
    limitationTexts.two,
    limitationTexts.people,
    'This report is a copy for readers. The ledger contains its hash. If it differs from the items, the items apply.',
  ];
}

/** Summarizes the unrecorded repositories, policies, waivers, remediations and digests of the period. */
function recordsHere(contents: ReportContents): CanonicalValue {
  const { repositories, policies, waivers, remediations, digests } = recordsOfContents(contents);
  return {
    unrecorded: unrecordedRepositories(repositories, contents.scope.period).map((one) => [
      contents.names.get(one.id) ?? '',
      one.id,
      recordedText(one),
    ]),
    policies: policies.map(({ name, version, kind, mode, made, ended }) => [
      String(name),
      String(version),
      String(kind),
      String(mode),
      made?.at ?? 'earlier',
      ended?.at ?? '',
    ]),
    waivers: waivers.map(({ about, decided, ended, until }) => [
      String(about.subject ?? `finding ${String(about.finding)}`),
      String(about.control ?? ''),
      ended?.as ?? decided?.as ?? 'requested',
      until,
    ]),
    remediations: remediations.map(({ control, subject, failure, changes, result }) => {
      const { owner = null, dueOn = null, ticketUrl = null } = changes.at(-1) ?? {};
      return [
        `${control}: ${subject}`,
        failure.evaluation.at,
        result,
        [`Owner: ${owner ?? 'none'}`, `due: ${dueOn ?? 'no date'}`, `ticket: ${ticketUrl ?? 'none'}`].join(', '),
      ];
    }),
    digests: digests.map(({ id, made, reviews }) => [
      id,
      made.at,
      String(reviews.length),
      reviews.find(({ completes }) => completes === true)?.at ?? 'not signed off',
    ]),
  };
}

import type { RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { categoryOf } from '#providers/scanner-categories.ts';
import { weaknessCodesOf } from './codes.ts';
import { cwesIn, cwesOfProperty, cwesOfReferences } from './cwe.ts';
import { hashSecret, scannerFingerprintOf } from './fingerprint.ts';
import { codeFlowsOf, locationOfResult, type ResultLocation, resultEvidenceOf } from './locations.ts';
import type { RunHead } from './log.ts';
import { resultMessageOf } from './messages.ts';
import { affectedPackageOf } from './package.ts';
import { createRuleBook, type RuleFacts, taxonomyControlsOf } from './rules.ts';
import { levelOverridesOf } from './set-levels.ts';
import { isSarifLevel, parseSecuritySeverity, resultSeverityOf } from './severity.ts';
import { httpUrl, isObject, type JsonRecord, listOrEmpty, objectOrEmpty, storableText, valueAt } from './shapes.ts';
import { deriveRuleId } from './unnamed-rule.ts';

/** Creates a function that converts the raw results of a run, or returns why a result is rejected. */
export function createResultReader(head: RunHead): (raw: unknown, place: string) => ScannerResult | RejectedResult {
  const ruleOf = createRuleBook(head);
  const setLevelOf = levelOverridesOf(head);
  return (raw, place) => {
    const reason = rejectionReasonOf(raw);
    if (reason !== undefined) return { place, reason };
    const result = raw as JsonRecord;
    const rule = ruleOf(result);
    return resultOf(head, { ...rule, level: setLevelOf(result, rule.id) ?? rule.level }, result);
  };
}

const texts = ['ruleId', 'kind'] as const;
const lists = ['locations', 'suppressions', 'codeFlows', 'taxa'] as const;

/** Returns why a result is rejected, as the end of a sentence; undefined for a valid one. */
function rejectionReasonOf(raw: unknown): string | undefined {
  if (!isObject(raw)) return 'is not an object';
  const oddText = texts.find((name) => raw[name] != null && typeof raw[name] !== 'string');
  if (oddText !== undefined) return `${oddText} must be a text`;
  const oddList = lists.find((name) => raw[name] != null && !Array.isArray(raw[name]));
  if (oddList !== undefined) return `${oddList} must be a list`;
  if (raw.message != null && !isObject(raw.message)) return 'message must be an object';
  if (raw.level != null && !isSarifLevel(raw.level))
    return `level ${JSON.stringify(raw.level).slice(0, 50)} is none of error, warning, note and none`;
  if (raw.kind === 'pass') return 'the check passed, so it is not a finding';
  if (raw.kind === 'notApplicable') return 'the rule does not apply, so it is not a finding';
  const isIdentified = [raw.ruleId, raw.rule, raw.ruleIndex, raw.message].some((part) => part != null);
  return isIdentified ? undefined : 'has neither a rule nor a message';
}

function resultOf(head: RunHead, rule: RuleFacts, raw: JsonRecord): ScannerResult {
  const properties = objectOrEmpty(raw.properties);
  const message = resultMessageOf(head, rule, raw);
  const location = locationOfResult(head, raw);
  const affectedPackage = affectedPackageOf(raw, message, rule.help);
  const category = categoryOf({
    tool: head.driver.name.toLowerCase(),
    ruleName: rule.name ?? '',
    tags: rule.tags,
    path: location.path,
    image: head.image,
    hasPackage: affectedPackage !== null,
  });
  const isSecret = category === 'secret';
  const quoted = isSecret ? withoutSecret(head, raw, message, location) : withCode(head, raw, message, location);
  const id =
    storableText(raw.ruleId, 300) ??
    storableText(valueAt(raw, 'rule', 'id'), 300) ??
    rule.id ??
    deriveRuleId(raw, quoted.message, isSecret);
  const ruleId = id.trim();
  const taxa = listOrEmpty(raw.taxa);
  const tags = listOrEmpty(properties.tags);
  const cwes = [
    ...new Set([
      ...rule.cwes,
      ...[...tags.flatMap(cwesIn), ...cwesOfProperty(properties.cwe)],
      ...cwesOfReferences(head, taxa),
    ]),
  ].slice(0, 50);
  const suppressed = suppressionOf(raw);
  return {
    ruleId,
    ruleName: rule.name ?? null,
    title: titleOf(rule, ruleId, quoted.message),
    description: rule.description,
    severity: resultSeverityOf(
      parseSecuritySeverity(properties['security-severity']) ?? rule.score,
      raw.level,
      rule.level,
      raw.kind,
    ),
    category,
    cwes,
    codes: weaknessCodesOf(cwes, [
      ruleId,
      rule.name,
      rule.title,
      ...rule.tags,
      ...tags.map((tag) => storableText(tag, 200)),
    ]),
    path: location.path,
    line: location.line,
    endLine: location.endLine,
    package: affectedPackage,
    references: rule.helpUri === undefined ? [] : [{ title: titleOfLink(rule.helpUri), url: rule.helpUri }],
    compliances: [...rule.compliances, ...taxonomyControlsOf(head, taxa)],
    discoveredAt: firstSeen(raw),
    state: raw.baselineState === 'absent' ? 'fixed' : suppressed ? 'suppressed' : 'open',
    suppressed,
    scannerReference: scannerReferenceOf(raw),
    ...quoted,
  };
}

type ResultText = Pick<ScannerResult, 'message' | 'snippet' | 'content' | 'flow' | 'evidence'>;

function withCode(head: RunHead, raw: JsonRecord, message: string, place: ResultLocation): ResultText {
  const [flow = [], ...otherFlows] = codeFlowsOf(head, raw);
  const evidence = { ...resultEvidenceOf(head, raw, place), otherFlows };
  return { message, snippet: place.snippet, content: scannerFingerprintOf(raw) ?? null, flow, evidence };
}

/** Removes the secret from all parts of a result, since it must not be stored again: code, message and fingerprint. */
function withoutSecret(head: RunHead, raw: JsonRecord, message: string, place: ResultLocation): ResultText {
  const { snippet } = place;
  const fingerprint = scannerFingerprintOf(raw) ?? snippet?.trim();
  const quoted = [
    snippet?.trim(),
    storableText(valueAt(raw, 'properties', 'offender'))?.trim(),
    ...secretsIn(snippet ?? ''),
  ];
  const masked = quoted.reduce<string>(
    (text, part) => (part !== undefined && part.length >= 6 ? text.replaceAll(part, '•••') : text),
    message,
  );
  const { region, locations, relatedLocations } = resultEvidenceOf(head, raw, place);
  const withoutMessages = (all: typeof locations) => all.map((one) => ({ ...one, message: '' }));
  const evidence = {
    region,
    locations: withoutMessages(locations),
    relatedLocations: withoutMessages(relatedLocations),
    otherFlows: [],
    fixes: [],
  };
  return {
    message: masked,
    snippet: null,
    content: fingerprint === undefined ? null : hashSecret(fingerprint),
    flow: [],
    evidence,
  };
}

/** Returns text that looks like a secret in a line of code: quoted text, or a long word. */
const secretsIn = (code: string): string[] =>
  [...code.matchAll(/["'`]([^"'`]{6,})["'`]|([\w+/=.~-]{12,})/g)].map(([, text, word]) => text ?? word ?? '');

function titleOf(rule: RuleFacts, ruleId: string, message: string): string {
  const title = rule.title ?? rule.name;
  // Many scanners repeat the ID as title and describe the weakness in the message.
  if (title !== undefined && title !== ruleId) return title.slice(0, 300);
  const sentence = /^[^\n]{1,200}?(?=\.\s|\n|$)/.exec(message)?.[0]?.trim();
  return sentence || title || ruleId;
}

const titleOfLink = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** A result is suppressed only if all its suppressions are accepted. */
function suppressionOf(raw: JsonRecord): ScannerResult['suppressed'] {
  const all = listOrEmpty(raw.suppressions).map(objectOrEmpty);
  const [first] = all;
  if (!first || all.some(({ state, status }) => (state ?? status ?? 'accepted') !== 'accepted')) return null;
  const comment = all.map(({ justification }) => storableText(justification, 2000)).find((text) => text !== undefined);
  return {
    reason: first.kind === 'inSource' ? 'suppressed in the code' : 'suppressed in the scanner',
    comment: comment ?? '',
  };
}

function firstSeen(raw: JsonRecord): string | null {
  const time = storableText(valueAt(raw, 'provenance', 'firstDetectionTimeUtc'), 40);
  const parsed = time === undefined ? Number.NaN : Date.parse(time);
  return parsed > 0 && parsed <= Date.now() ? new Date(parsed).toISOString() : null;
}

function scannerReferenceOf(raw: JsonRecord): ScannerResult['scannerReference'] {
  const url = httpUrl(raw.hostedViewerUri) ?? null;
  const number = storableText(raw.guid, 100) ?? null;
  return url === null && number === null ? null : { url, number };
}

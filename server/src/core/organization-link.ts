/** Links to a page in this organization, regardless of the organization of the reader's session. */
export function linkTo(url: string, path: string, orgId: string): string {
  const link = new URL(path, url);
  link.searchParams.set('organization', orgId);
  return link.href;
}

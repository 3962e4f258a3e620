/** '1 repository', '14 repositories'. */
export const countText = (count: number, one: string, many: string): string =>
  `${new Intl.NumberFormat('en-GB').format(count)} ${count === 1 ? one : many}`;

export const repositoryCountText = (count: number): string => countText(count, 'repository', 'repositories');

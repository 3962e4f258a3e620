import { jobStates, listQueuedJobs, type QueuedJob } from '@sightline/contract/platform/operator.ts';
import { Invalid } from '#core/errors.ts';
import { listJobs } from '#core/queued-jobs.ts';
import { retryJob } from '../domains/platform/operator/commands.ts';
import { describeJobs } from '../domains/platform/operator/queries.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActor } from './operator.ts';

export const listJobsCommand = command({
  name: 'jobs list',
  description: 'Lists background jobs that have not succeeded, with the cause of the last error, newest first.',
  options: {
    queue: { valueName: 'NAME', description: 'Only of one queue.' },
    state: { valueName: 'STATE', description: `Only in one state: ${jobStates.join(', ')}.` },
    search: { valueName: 'ID', description: 'Only with the ID of a job, request or organization.' },
    last: { valueName: 'NUMBER', description: 'Number of jobs, 1 to 100. Default: 50.' },
  },
  run: async ({ options: { last = '50', ...options } }) => {
    const filters = Object.entries(options).filter(([, value]) => value !== undefined);
    const { data: query, error } = listQueuedJobs.query.safeParse({ perPage: last, ...Object.fromEntries(filters) });
    if (error) {
      const [{ path: [field] = [], message } = { message: 'is not valid' }] = error.issues;
      throw Invalid(`--${field === 'perPage' ? 'last' : String(field)}`, message);
    }
    return withServices(async ({ database, jobs }) => {
      const found = await database.global(async (tx) =>
        describeJobs(tx, jobs.isCancelable, (await listJobs(tx, query)).rows),
      );
      // Cancelling needs the schedules of a running server.
      const listed = found.map(({ canCancel: _, ...job }) => job);
      return { json: { jobs: listed }, lines: found.length === 0 ? ['No jobs.'] : aligned(found.map(lineOf)) };
    });
  },
});

export const retryJobCommand = command({
  name: 'jobs retry',
  description: 'Runs a failed or retrying background job now.',
  valueName: ['QUEUE', 'ID'],
  options: {},
  run: ({ words: [queue = '', jobId = ''] }) => {
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(jobId)) throw Invalid(`"${jobId}"`, 'is not the ID of a job');
    return withServices(async (services) => {
      const operator = operatorActor();
      const job = await retryJob(services, operator, { queue, jobId });
      return { json: { job }, lines: [`The job ${job.id} of the queue ${job.queue} runs now.`] };
    });
  },
});

const lineOf = ({ id, queue, state, organization, requestId, attempts, maxAttempts, cause }: QueuedJob) => [
  `${queue} ${id}`,
  [
    `${state}, attempt ${attempts} of ${maxAttempts}`,
    organization?.name,
    requestId !== null && `request ${requestId}`,
    cause,
  ]
    .filter((part) => typeof part === 'string')
    .join('; '),
];

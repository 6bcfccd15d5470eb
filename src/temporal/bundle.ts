import { type BundleOptions, bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'
import type { Log } from '../lib/log.ts'
import { codeFile } from '../lib/process/code-file.ts'
import { temporalLogger } from './log.ts'

const WORKFLOWS = codeFile(import.meta.url, '../../workflows/index')

/**
 * What is bundled. Our workflow modules hold constants and functions alone, so they are evaluated once for all
 * workflows of a worker and frozen, not again for each.
 */
export const BUNDLED = { workflowsPath: WORKFLOWS, preloadModules: [WORKFLOWS] } satisfies BundleOptions

/** The workflows as one piece of code for the workers' sandbox: a second or two of work, best done beside waiting. */
export const bundleWorkflows = (log: Log): Promise<WorkflowBundle> =>
  bundleWorkflowCode({ ...BUNDLED, logger: temporalLogger(log.child({}, { level: 'warn' })) })

import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'
import type { Log } from '../lib/log.ts'
import { temporalLogger } from './log.ts'

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

/** The workflows as one piece of code for the workers' sandbox: a second or two of work, best done beside waiting. */
export const bundleWorkflows = (log: Log): Promise<WorkflowBundle> =>
  bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: temporalLogger(log.child({}, { level: 'warn' })) })

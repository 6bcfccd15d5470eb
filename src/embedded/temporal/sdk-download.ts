// Run as a process of its own, so that a slow download can be ended and the SDK's runtime here stays untouched:
// starts a dev server from a freshly downloaded program in the folder named, and stops it again.
import { TestWorkflowEnvironment } from '@temporalio/testing'

const downloadDir = process.argv[2]
if (!downloadDir) throw new Error('name a folder')
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir } },
})
await environment.teardown()

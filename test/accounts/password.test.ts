import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PASSWORD = join(import.meta.dirname, '../../src/accounts/users/password.ts')

// In a process of its own: in this one hashes are cheap (test/support/cheap-argon2.ts).
it('passwords are kept as Argon2id with 19 MiB and two passes', async () => {
  const script = `const { hashPassword } = await import(${JSON.stringify(PASSWORD)}); console.log(await hashPassword('correct horse'))`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

import { expect, it, vi } from 'vitest'
import { GROUPS } from '../../src/cli/groups.ts'
import { VERSION } from '../../src/lib/process/version.ts'
import { command } from '../support/command.ts'

it.each(['--version', '-V'])('%s prints the version, without loading a command', async (flag) => {
  const loads = Object.keys(GROUPS).map((name) => vi.spyOn(GROUPS, name))
  try {
    expect(await command({}, flag)).toEqual({ code: 0, said: `${VERSION}\n` })
    for (const load of loads) expect(load).not.toHaveBeenCalled()
  } finally {
    vi.restoreAllMocks()
  }
})

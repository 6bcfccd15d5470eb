import { vi } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'

/**
 * Runs an operator's command to its end, as `pricetape` in installation.ts does, but in this process: starting one takes
 * half a second of processor time. One at a time: the environment and the output are those of the process.
 */
export async function command(env: Record<string, string | undefined>, ...args: string[]) {
  const { env: ours, exitCode } = process
  const outputs = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'))
  let said = ''
  for (const output of outputs)
    output.mockImplementation((text) => {
      said += String(text)
      return true
    })
  process.env = env
  process.exitCode = undefined
  try {
    await runCommand(args)
    return { code: Number(process.exitCode ?? 0), said }
  } finally {
    process.env = ours
    process.exitCode = exitCode
    for (const output of outputs) output.mockRestore()
  }
}

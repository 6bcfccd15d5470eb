import { execFileSync } from 'node:child_process'

const git = (...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * Returns the commit before this one. Where CI merges a proposal first, that is the main branch, and the changes are the
 * proposal's. Undefined in a checkout of a single commit.
 */
export const baseCommit = (): string | undefined => git('rev-parse', '--verify', '--quiet', 'HEAD~1')

/** Returns the files that differ from a commit, in the checkout as it is. @throws where the commit is unknown */
export function changedSince(base: string): string[] {
  const changed = git('diff', '--name-only', '--diff-filter=d', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  if (changed === undefined || added === undefined) throw new Error(`git knows no commit ${base}. Name another one.`)
  return [...changed.split('\n'), ...added.split('\n')].filter((file) => file !== '')
}

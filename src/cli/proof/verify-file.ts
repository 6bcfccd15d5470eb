import { openCheckpoint, ProofError } from '../../../clients/typescript/src/proof/index.ts'
import { readExport } from '../../exports/verify/read-export.ts'
import { verifyExport } from '../../exports/verify/verify-export.ts'
import { OperatorError } from '../../lib/errors.ts'
import { plural } from '../../lib/text/plural.ts'
import { type OutputOptions, print } from '../output.ts'

/**
 * Verifies an exported file with nothing but the file and the keys that the reader trusts.
 * @throws OperatorError for a file that is not what was signed, which names the first line that is not
 */
export async function verifyFile(file: string, keys: string[], options: OutputOptions): Promise<void> {
  const { lines, proof } = await readExport(file)
  const signed = opened(proof.checkpoint, keys)
  const { rows, isWhole, difference } = await verifyExport(lines, proof, signed)
  if (difference) throw new OperatorError(`${file} is not what the log holds. ${difference.message}`)
  const { asOf } = proof
  const { origin, size } = signed
  print(options, { file, rows, asOf, isWhole, origin, size }, isWhole ? wholeText() : partText())

  function wholeText(): string {
    return `${file} is the whole history as of ${asOf}: ${plural(rows, 'line')}, as ${origin} signed them in its checkpoint of ${size} leaves.`
  }
  function partText(): string {
    return `The ${plural(rows, 'line')} of ${file} have the facts that their contentHash is of. It is a part of the history, so whether the log holds them, and no others, cannot be seen from it: verify the whole, or ask /v1/log/proof.`
  }
}

function opened(checkpoint: string, keys: string[]) {
  try {
    return openCheckpoint(checkpoint, keys)
  } catch (cause) {
    if (cause instanceof ProofError) throw new OperatorError(cause.message, { cause })
    throw cause
  }
}

/** What does not fit. */
export type ProofFault =
  /** None of the keys given signed the checkpoint. */
  | 'unknown_key'
  /** The checkpoint is not what the key signed. */
  | 'bad_signature'
  /** Not a checkpoint, key or proof at all. */
  | 'unreadable'
  /** The row is not the one that was published: `field` says where it differs. */
  | 'edited_row'
  /** The proof is of another row. */
  | 'other_row'
  /** A row of the page has no proof, or the proof has a row that the page lacks. */
  | 'missing_row'
  /** The hashes do not lead to the root of the checkpoint: it is of another log, or the log was rewritten. */
  | 'not_in_log'
  /** The newer checkpoint does not contain the older one. */
  | 'rewritten'

/** A proof that does not hold. `message` names what does not fit. */
export class ProofError extends Error {
  override name = 'ProofError'
  readonly fault: ProofFault
  readonly contentHash?: string
  /** The field of the row that was edited. */
  readonly field?: string

  constructor(fault: ProofFault, message: string, details: { contentHash?: string; field?: string } = {}) {
    super(message)
    this.fault = fault
    this.contentHash = details.contentHash
    this.field = details.field
  }
}

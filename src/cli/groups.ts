import type { Command } from 'commander'

/** Each group of commands is loaded when it is used: it keeps a command from loading all of the product. */
export const GROUPS: Record<string, () => Promise<Command>> = {
  check: async () => (await import('./sources/check.ts')).checkCommand(),
  audit: async () => (await import('./accounts/audit.ts')).auditCommand(),
  key: async () => (await import('./accounts/key.ts')).keyCommand(),
  account: async () => (await import('./accounts/account.ts')).accountCommand(),
  workspace: async () => (await import('./accounts/workspace.ts')).workspaceCommand(),
  webhook: async () => (await import('./webhooks/webhook.ts')).webhookCommand(),
  delivery: async () => (await import('./webhooks/delivery.ts')).deliveryCommand(),
  receiver: async () => (await import('./webhooks/receiver-command.ts')).receiverCommand(),
  source: async () => (await import('./sources/source.ts')).sourceCommand(),
  alias: async () => (await import('./prices/alias.ts')).aliasCommand(),
  review: async () => (await import('./review/review.ts')).reviewCommand(),
  terms: async () => (await import('./sources/terms.ts')).termsCommand(),
  export: async () => (await import('./proof/export.ts')).exportCommand(),
  price: async () => (await import('./prices/price.ts')).priceCommand(),
  cost: async () => (await import('./prices/cost.ts')).costCommand(),
  reprice: async () => (await import('./prices/reprice.ts')).repriceCommand(),
  verify: async () => (await import('./proof/verify.ts')).verifyCommand(),
  secrets: async () => (await import('./accounts/secrets.ts')).secretsCommand(),
  log: async () => (await import('./proof/log.ts')).logCommand(),
  backup: async () => (await import('./running/backup.ts')).backupCommand(),
  restored: async () => (await import('./running/restored.ts')).restoredCommand(),
  clock: async () => (await import('./running/clock.ts')).clockCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  doctor: async () => (await import('./running/doctor.ts')).doctorCommand(),
}

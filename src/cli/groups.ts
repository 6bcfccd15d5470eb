import type { Command } from 'commander'

/** Each group of commands is loaded when it is used: it keeps a command from loading all of the product. */
export const GROUPS: Record<string, () => Promise<Command>> = {
  check: async () => (await import('./check.ts')).checkCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  account: async () => (await import('./account.ts')).accountCommand(),
  workspace: async () => (await import('./workspace.ts')).workspaceCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  delivery: async () => (await import('./delivery.ts')).deliveryCommand(),
  receiver: async () => (await import('./receiver-command.ts')).receiverCommand(),
  source: async () => (await import('./source.ts')).sourceCommand(),
  alias: async () => (await import('./alias.ts')).aliasCommand(),
  review: async () => (await import('./review.ts')).reviewCommand(),
  terms: async () => (await import('./terms.ts')).termsCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  price: async () => (await import('./price.ts')).priceCommand(),
  cost: async () => (await import('./cost.ts')).costCommand(),
  reprice: async () => (await import('./reprice.ts')).repriceCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  secrets: async () => (await import('./secrets.ts')).secretsCommand(),
  log: async () => (await import('./log.ts')).logCommand(),
  restored: async () => (await import('./restored.ts')).restoredCommand(),
  clock: async () => (await import('./clock.ts')).clockCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
}

import { Alert, Stack, Tabs } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { editWebhook, type Webhook, webhookQuery, webhooksQuery } from '../../api/webhooks.ts'
import { Page } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useShownIn } from '../../components/shell/use-shown-in.ts'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookForm } from './form/webhook-form.tsx'
import { Secret } from './secret.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { StateBadge, StateNotice } from './webhook-state.tsx'

const route = getRouteApi('/signed-in/webhooks/$webhookId')

/** One webhook. Once it is deleted nothing of it is shown, and so nothing asks for it, while the list is loaded. */
export function WebhookPage() {
  const { webhookId } = route.useParams()
  const [deleted, setDeleted] = useState<string>()
  if (deleted === webhookId) return <PageLoading />
  return <Shown webhookId={webhookId} onDeleted={() => setDeleted(webhookId)} />
}

/** Its state, its live log, its settings and its secret. */
function Shown({ webhookId, onDeleted }: { webhookId: string; onDeleted: () => void }) {
  const search = route.useSearch()
  const { tab = 'log' } = search
  const navigate = useNavigate()
  const { data, error } = useSuspenseQuery(webhookQuery(webhookId))
  const { webhook } = data
  useShownIn(webhook.workspaceId)
  const { isMember } = useWorkspace()
  return (
    <Page
      title={webhook.name}
      about={webhook.url}
      badge={<StateBadge webhook={webhook} />}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      actions={<WebhookActions webhook={webhook} onDeleted={onDeleted} />}
    >
      {isGone(error) && isMember ? <Gone /> : <StateNotice webhook={webhook} />}
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: (now: object) => ({ ...now, tab: next }) } as never)}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="log">Deliveries</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="secret">Secret</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log" pt="lg">
          <DeliveryLog webhook={webhook} search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="lg">
          <Settings key={webhook.id} webhook={webhook} />
        </Tabs.Panel>
        <Tabs.Panel value="secret" pt="lg">
          <Secret webhook={webhook} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

/** Said above a page whose webhook someone deleted while it was open. */
const Gone = () => (
  <Alert color="red" title="This webhook is gone" role="alert">
    It was deleted, or you were removed from its workspace. What you see is what was known last, and what you typed is
    still here to copy.
  </Alert>
)

function Settings({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient()
  return (
    <Stack>
      <WebhookForm
        draft={`webhook.${webhook.id}`}
        webhook={webhook}
        save={async (body, ifUpdatedAt) => {
          try {
            return await editWebhook(webhook.id, { ...body, ifUpdatedAt })
          } finally {
            void queryClient.invalidateQueries(webhookQuery(webhook.id))
          }
        }}
        onSaved={async (saved) => {
          queryClient.setQueryData(webhookQuery(webhook.id).queryKey, saved)
          await queryClient.invalidateQueries(webhooksQuery(webhook.workspaceId))
          notifications.show({ message: 'Saved. It holds for what is published from now on.' })
        }}
        button="Save"
      />
    </Stack>
  )
}

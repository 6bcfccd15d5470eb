import { Alert, Skeleton, Stack, Tabs } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ApiError } from '../../api/connection/client.ts'
import { usePageData } from '../../api/use-page-data.ts'
import { editWebhook, type Webhook, webhookQuery } from '../../api/webhooks.ts'
import { FormLoading } from '../../components/loading/form-loading.tsx'
import { PageLoading, Placeholder, Words } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'
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
  const { data, error } = usePageData(webhookQuery(webhookId))
  const webhook = data?.webhook
  useShownIn(webhook?.workspaceId)
  const { isMember } = useWorkspace()
  return (
    <Page
      title={webhook?.name}
      about={webhook?.url ?? <Words width={280} />}
      badge={webhook && <StateBadge webhook={webhook} />}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      actions={
        webhook ? <WebhookActions webhook={webhook} onDeleted={onDeleted} /> : <Skeleton height={36} width={180} />
      }
    >
      {isGone(error) && isMember ? <Gone /> : webhook && <StateNotice webhook={webhook} />}
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
          <DeliveryLog webhookId={webhookId} webhook={webhook} search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="lg">
          {webhook ? (
            <Suspense fallback={<FormLoading />}>
              <Settings key={webhook.id} webhook={webhook} />
            </Suspense>
          ) : (
            <FormLoading />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="secret" pt="lg">
          {webhook ? <Secret webhook={webhook} /> : <Placeholder height={240} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

/** Said above a page whose webhook someone deleted while it was open. */
const Gone = () => (
  <Alert color="red" title="This webhook no longer exists" role="alert">
    It was deleted, or you were removed from its workspace. You see the last known state, and what you typed is still
    here to copy.
  </Alert>
)

function Settings({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient()
  return (
    <Stack>
      <WebhookForm
        draft={`webhook.${webhook.id}`}
        webhook={webhook}
        save={(body, ifUpdatedAt) => editWebhook(webhook.id, { ...body, ifUpdatedAt })}
        onSaved={(saved) => {
          queryClient.setQueryData(webhookQuery(webhook.id).queryKey, saved)
          notifications.show({ message: 'Saved. It applies to everything published from now on.' })
        }}
        button="Save"
      />
    </Stack>
  )
}

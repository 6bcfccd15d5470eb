import { Button, Group, Kbd, Paper, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { QueueItem } from '../../../api/operator.ts'
import { effectOf, isEditable, verbOf } from './kinds.ts'
import classes from './review.module.css'

type Props = {
  items: QueueItem[]
  reason: string
  onReason: (reason: string) => void
  isEditing: boolean
  onDecide: (decision: 'approve' | 'reject') => void
  onEdit: () => void
  onCancelEdit: () => void
  /** What stands above the buttons. */
  children: ReactNode
}

/** The decisions about the open item, or about those that are selected. */
export function DecisionBar({ items, reason, onReason, isEditing, onDecide, onEdit, onCancelEdit, children }: Props) {
  const [first] = items
  const single = items.length === 1 ? first : undefined
  const many = items.length > 1 ? ` ${items.length}` : ''
  return (
    <Paper withBorder p="xs" className={classes.bar} component="section" aria-label="Decide">
      {children}
      <Group gap="xs" justify="space-between">
        <TextInput
          size="sm"
          flex="1 1 180px"
          aria-label="Why you decide so"
          placeholder="Why (looked at)"
          maxLength={500}
          value={reason}
          onChange={(event) => onReason(event.currentTarget.value)}
        />
        {isEditing ? (
          <Group gap="xs">
            <Button variant="default" onClick={onCancelEdit}>
              Cancel
            </Button>
            <Button onClick={onEdit}>Publish these prices</Button>
          </Group>
        ) : (
          <Group gap="xs">
            <Button variant="default" onClick={() => onDecide('reject')} rightSection={<Kbd size="xs">r</Kbd>}>
              {single ? verbOf(single, 'reject') : `Reject${many}`}
            </Button>
            {items.length === 1 && first && isEditable(first) && (
              <Button variant="default" onClick={onEdit} rightSection={<Kbd size="xs">e</Kbd>}>
                Edit
              </Button>
            )}
            <Button onClick={() => onDecide('approve')} rightSection={<Kbd size="xs">a</Kbd>}>
              {single ? verbOf(single, 'approve') : `Approve${many}`}
            </Button>
          </Group>
        )}
      </Group>
      {single && !isEditing && (
        <Text size="xs" c="dimmed" mt={6}>
          {verbOf(single, 'approve')}: {effectOf(single, 'approve')} {verbOf(single, 'reject')}:{' '}
          {effectOf(single, 'reject')}
        </Text>
      )}
    </Paper>
  )
}

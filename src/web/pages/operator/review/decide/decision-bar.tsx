import { Button, Group, Kbd, Paper, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { QueueItem } from '../../../../api/operator.ts'
import { effectOf, isEditable, verbOf } from '../kinds.ts'
import classes from '../review.module.css'

type Props = {
  /** The open item, when a decision is about it. */
  shown: QueueItem | undefined
  /** How many items a decision is about when it is not about the open one alone. */
  selected: number
  reason: { typed: string; onType: (reason: string) => void }
  isEditing: boolean
  /** Approving removes prices. */
  isDelisting: boolean
  /** What is wrong with the prices that were typed. */
  problem: string | undefined
  onDecide: (decision: 'approve' | 'reject') => void
  onEdit: () => void
  onCancelEdit: () => void
  onNext: () => void
  /** The open item is not what it was when it was opened. */
  hasChanged: boolean
  /** What is shown now has been read. */
  onAccept: () => void
  /** What stands above the buttons. */
  children: ReactNode
}

/** The decisions about the open item, or about those that are selected. */
export function DecisionBar({ children, ...props }: Props) {
  const { shown, selected, isEditing, problem } = props
  const hasChanged = props.hasChanged && shown !== undefined && !isEditing
  const isLeft = !isEditing && !shown && selected === 0
  return (
    <Paper withBorder p="xs" className={classes.bar} component="section" aria-label="Decide">
      {children}
      {isLeft ? <NothingToDecide {...props} /> : hasChanged ? <ReadAgain {...props} /> : <Choices {...props} />}
      {isEditing && problem && (
        <Text size="sm" mt={6} className="problem" role="alert">
          {problem}
        </Text>
      )}
      {shown && !isEditing && !hasChanged && (
        <Text size="xs" c="dimmed" mt={6}>
          {verbOf(shown, 'approve')}: {effectOf(shown, 'approve')} {verbOf(shown, 'reject')}:{' '}
          {effectOf(shown, 'reject')}
        </Text>
      )}
    </Paper>
  )
}

function Choices({
  shown,
  selected,
  reason,
  isEditing,
  isDelisting,
  onDecide,
  onEdit,
  onCancelEdit,
}: Omit<Props, 'children'>) {
  const labelOf = (decision: 'approve' | 'reject') =>
    shown ? verbOf(shown, decision) : `${decision === 'approve' ? 'Approve' : 'Reject'} ${selected} selected`
  return (
    <Group gap="xs" justify="space-between">
      <TextInput
        size="sm"
        flex="1 1 180px"
        aria-label="Why you decide so"
        placeholder="Reason (optional)"
        maxLength={500}
        value={reason.typed}
        onChange={(event) => reason.onType(event.currentTarget.value)}
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
            {labelOf('reject')}
          </Button>
          {shown && isEditable(shown) && (
            <Button variant="default" onClick={onEdit} rightSection={<Kbd size="xs">e</Kbd>}>
              Edit
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => onDecide('approve')}
            rightSection={<Kbd size="xs">{isDelisting ? 'd' : 'a'}</Kbd>}
          >
            {labelOf('approve')}
          </Button>
        </Group>
      )}
    </Group>
  )
}

/** Another operator, or the source, was faster: who reads the item goes on when they have seen that. */
const NothingToDecide = ({ onNext }: Pick<Props, 'onNext'>) => (
  <Group gap="xs" justify="space-between" role="status">
    <Text size="sm">This item left the list while you were looking at it. Keys no longer decide it.</Text>
    <Button variant="default" onClick={onNext} rightSection={<Kbd size="xs">j</Kbd>}>
      Next item
    </Button>
  </Group>
)

/** The source said something else meanwhile: who read the item reads what is shown now. */
const ReadAgain = ({ onAccept }: Pick<Props, 'onAccept'>) => (
  <Group gap="xs" justify="space-between" role="status">
    <Text size="sm">This item changed while you were looking at it. Read it again before you decide.</Text>
    <Button variant="default" onClick={onAccept}>
      I have read it
    </Button>
  </Group>
)

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { lastRollImport, undoRoll } from '#contracts/roll-import'
import { CallError, messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { lastQuery, undoing } from './api'
import { ChildNames } from './child-names'

type Import = NonNullable<ReplyOf<typeof lastRollImport>['import']>
type Undone = ReplyOf<typeof undoRoll>

/** The import that can still be undone, and what became of undoing it. */
export const LastImport = ({ onUndone }: { onUndone: () => void }) => {
  const last = useQuery(lastQuery)
  const [undone, setUndone] = useState<Undone | null>(null)
  return (
    <>
      {undone && undone.kept.length > 0 ? <KeptSince undone={undone} /> : null}
      <QueryResult
        query={last}
        failure="Failed to fetch the last import"
        waiting={null}
        isEmpty={(reply) => reply.import === null}
        empty={null}
      >
        {(reply) => (
          <UndoCard
            key={reply.import!.id}
            last={reply.import!}
            onUndone={(result) => {
              setUndone(result)
              onUndone()
            }}
          />
        )}
      </QueryResult>
    </>
  )
}

const KeptSince = ({ undone: { kept } }: { undone: Undone }) => (
  <Notice
    tone="warning"
    title={`${counted(kept.length, 'child stays', 'children stay')} as the import made them: they were claimed or edited since`}
  >
    <ChildNames of={kept} />
  </Notice>
)

type UndoCardProps = { last: Import; onUndone: (undone: Undone) => void }

const UndoCard = ({ last: { id, appliedAt, undoUntil }, onUndone }: UndoCardProps) => {
  const [asked, setAsked] = useState(false)
  const undo = useMutation(undoing)
  const confirm = () =>
    undo.mutate(
      { params: { id } },
      {
        onSuccess: (result) => {
          adminToast({ title: `Import undone: ${counted(result.undone, 'child', 'children')} as before` })
          onUndone(result)
        },
        onSettled: () => setAsked(false),
      },
    )
  return (
    <Card>
      <CardHeading title="The last import" />
      <CardBody className="flex flex-col items-start gap-3">
        <p>
          {`Applied ${dateAndTime(appliedAt)}. It can be undone until ${dateAndTime(undoUntil)}, as long as nothing was ordered for its children.`}
        </p>
        {undo.error ? <UndoFailure error={undo.error} /> : null}
        <Button variant="secondary" size="sm" icon="undo" onClick={() => setAsked(true)}>
          Undo Import
        </Button>
      </CardBody>
      <ConfirmDialog
        open={asked}
        title="Undo the last import?"
        confirm="Undo Import"
        danger
        busy={undo.isPending}
        busyLabel="Undoing..."
        onConfirm={confirm}
        onClose={() => setAsked(false)}
      >
        Children whom it added go from the roll, and their claim codes with them. Those whom it changed are as
        they were before, and those who left are back. Who was claimed or edited since stays as they are.
      </ConfirmDialog>
    </Card>
  )
}

const UndoFailure = ({ error }: { error: unknown }) => {
  const students = error instanceof CallError && error.code === 'ordered_since' ? error.reply?.students : null
  return (
    <Notice tone="danger" title="The import was not undone">
      <p>{messageOf(error, 'Failed to undo the import')}</p>
      {Array.isArray(students) ? <ChildNames of={students} /> : null}
    </Notice>
  )
}

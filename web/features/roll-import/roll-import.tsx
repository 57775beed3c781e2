import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { lastRollImport, undoRoll } from '#contracts/roll-import'
import { CallError, messageOf } from '../../lib/call'
import { counted, wholeNumber } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import {
  type Preview,
  type RenderLetters,
  useImportDraft,
  type Result,
  lastQuery,
  matchedRows,
  undoing,
} from './import-draft'
import { withOnlyMatches } from './preview/decide-card'
import { ListPreview } from './preview/list-preview'
import { UploadCard } from './upload-card'
import { useFocusFirst } from './use-looking'

/** Previewed, then applied as shown (families.md section 4). */
export const RollImport = ({ letters }: { letters: RenderLetters }) => {
  const [draft, setDraft] = useImportDraft()
  const client = useQueryClient()
  const begin = async (file: File, preview: Preview) => {
    const clear = withOnlyMatches(await matchedRows(client, preview), {})
    setDraft({ step: 'preview', file, preview, clear, decisions: clear })
  }
  const beginAnew = () => setDraft({ step: 'upload' })
  return (
    <div className="flex flex-col gap-5">
      {draft.step === 'upload' ? <UploadCard onLooked={begin} /> : null}
      {draft.step === 'preview' ? (
        <ListPreview
          key={draft.preview.id}
          draft={draft}
          onDraft={setDraft}
          onApplied={(result) => setDraft({ step: 'done', result })}
          onLeave={beginAnew}
        />
      ) : null}
      {draft.step === 'done' ? (
        <ImportResult result={draft.result} letters={letters} onAnother={beginAnew} />
      ) : null}
      <LastImport onUndone={beginAnew} />
    </div>
  )
}

type ImportResultProps = { result: Result; letters: RenderLetters; onAnother: () => void }

/** With letters for unclaimed families. */
const ImportResult = ({ result, letters, onAnother }: ImportResultProps) => {
  const { added, changed, left, leftOut, kept } = result
  const heading = useFocusFirst<HTMLSpanElement>()
  const [isPrinted, setPrinted] = useState(result.codes.length === 0)
  const [asked, setAsked] = useState(false)
  return (
    <Card>
      <CardHeading
        title={
          <span ref={heading} tabIndex={-1} className="outline-none">
            The list is applied
          </span>
        }
        actions={
          <Button variant="secondary" size="sm" onClick={() => (isPrinted ? onAnother() : setAsked(true))}>
            Import Another List
          </Button>
        }
      />
      <CardBody className="flex flex-col items-start gap-3">
        <ul className="list-disc pl-5">
          <li>{`${counted(added, 'child', 'children')} added`}</li>
          <li>{`${wholeNumber(changed)} changed`}</li>
          <li>{`${wholeNumber(left)} left`}</li>
          {leftOut > 0 ? (
            <li>{`${counted(leftOut, 'row')} left out, because nobody decided on them`}</li>
          ) : null}
        </ul>
        {kept.length > 0 ? (
          <Notice
            tone="warning"
            title={`${counted(kept.length, 'child is', 'children are')} not in the list and kept: they have lunches to come`}
          >
            <ChildNames of={kept} />
          </Notice>
        ) : null}
        <Codes result={result} letters={letters} onPrint={() => setPrinted(true)} />
      </CardBody>
      <ConfirmDialog
        open={asked}
        title="Go on without the letters?"
        confirm="Go On"
        onConfirm={onAnother}
        onClose={() => setAsked(false)}
      >
        These claim codes are shown only here. Letters that you print later have new ones, and the codes that
        were mailed are void then.
      </ConfirmDialog>
    </Card>
  )
}

type CodesProps = Pick<ImportResultProps, 'result' | 'letters'> & { onPrint: () => void }

const Codes = ({ result: { codes }, letters, onPrint }: CodesProps) => {
  const [open, setOpen] = useState(false)
  if (codes.length === 0) return null
  const mailed = codes.filter((code) => code.mailed).length
  return (
    <>
      <p>
        {`${counted(codes.length, 'family has', 'families have')} a claim code now`}
        {mailed > 0 ? `; ${wholeNumber(mailed)} ${mailed === 1 ? 'gets it' : 'get it'} by mail.` : '.'}
      </p>
      <Button
        icon="print"
        onClick={() => {
          onPrint()
          setOpen(true)
        }}
      >
        Print Letters
      </Button>
      {open ? letters(codes, () => setOpen(false)) : null}
    </>
  )
}

type Import = NonNullable<ReplyOf<typeof lastRollImport>['import']>
type Undone = ReplyOf<typeof undoRoll>

/** The last import while it can be undone. */
const LastImport = ({ onUndone }: { onUndone: () => void }) => {
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

type ChildNamesProps = { of: readonly { id: number; name: string; class: string | null }[] }

const ChildNames = ({ of }: ChildNamesProps) => (
  <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
    {of.map((child) => (
      <li key={child.id}>{child.class ? `${child.name}, ${child.class}` : child.name}</li>
    ))}
  </ul>
)

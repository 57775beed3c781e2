import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { allMatched } from '../api'
import type { PreviewDraft, Result } from '../import-draft'
import { useFocusFirst } from '../use-focus-first'
import { useLooking } from '../use-looking'
import { ApplyCard } from './apply-card'
import { stillGood } from './decisions'
import { DecideCard } from './decide-card'
import { ListCounts } from './list-counts'
import { Mistakes } from './mistakes'
import { RowsCard } from './rows-card'

type ListPreviewProps = {
  draft: PreviewDraft
  onDraft: (draft: PreviewDraft) => void
  onApplied: (result: Result) => void
  onLeave: () => void
}

/** What a list would change: its mistakes, the rows to decide on, all rows, and the way to apply it. */
export const ListPreview = ({ draft, onDraft, onApplied, onLeave }: ListPreviewProps) => {
  const { file, preview, decisions } = draft
  const client = useQueryClient()
  const { start, sent, problem } = useLooking()
  const lookAgain = async () => {
    const fresh = await start(file)
    if (!fresh) return
    const isDecided = Object.keys(decisions).length > 0
    const rows = isDecided ? await allMatched(client, fresh.id).catch(() => []) : []
    onDraft({ ...draft, preview: fresh, decisions: stillGood(rows, decisions) })
  }
  return (
    <>
      <Summary draft={draft} onLeave={onLeave} />
      {preview.errors.length > 0 ? <Mistakes errors={preview.errors} /> : null}
      {preview.matched > 0 ? (
        <DecideCard
          preview={preview}
          decisions={decisions}
          onDecide={(decided) => onDraft({ ...draft, decisions: decided })}
        />
      ) : null}
      <RowsCard preview={preview} />
      <ApplyCard draft={draft} again={{ lookAgain, sent, problem }} onApplied={onApplied} />
    </>
  )
}

const Summary = ({ draft, onLeave }: Pick<ListPreviewProps, 'draft' | 'onLeave'>) => {
  const { file, preview, decisions } = draft
  const [asked, setAsked] = useState(false)
  const heading = useFocusFirst<HTMLSpanElement>()
  const decided = Object.keys(decisions).length
  return (
    <Card>
      <CardHeading
        title={
          <span ref={heading} tabIndex={-1} className="outline-none">
            What the list would change
          </span>
        }
        hint={`${file.name}. Nothing has changed yet.`}
        actions={
          <Button variant="secondary" size="sm" onClick={() => (decided > 0 ? setAsked(true) : onLeave())}>
            Choose Another File
          </Button>
        }
      />
      <CardBody>
        <ListCounts preview={preview} />
      </CardBody>
      <ConfirmDialog
        open={asked}
        title="Leave this list?"
        confirm="Leave It"
        onConfirm={onLeave}
        onClose={() => setAsked(false)}
      >
        {`${counted(decided, 'decision')} that you have made would be lost.`}
      </ConfirmDialog>
    </Card>
  )
}

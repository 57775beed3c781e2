import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NotJoined, RollError } from '#contracts/roll-import'
import { csvFile, saveCsv } from '../../../lib/files'
import { counted, wholeNumber } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { LeftOut } from '../../../ui/left-out'
import { Notice } from '../../../ui/notice'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { matchedRows, type PreviewDraft, type Result, type Preview, columnText } from '../import-draft'
import { useFocusFirst, useFileCheck } from '../use-looking'
import { ApplyCard } from './apply-card'
import { validDecisions, DecideCard, withOnlyMatches } from './decide-card'
import { RowsCard } from './rows-card'

type ListPreviewProps = {
  draft: PreviewDraft
  onDraft: (draft: PreviewDraft) => void
  onApplied: (result: Result) => void
  onLeave: () => void
}

/** Errors, decisions, all rows, and applying. */
export const ListPreview = ({ draft, onDraft, onApplied, onLeave }: ListPreviewProps) => {
  const { file, preview, decisions } = draft
  const client = useQueryClient()
  const { start, sent, problem } = useFileCheck()
  const lookAgain = async () => {
    const fresh = await start(file)
    if (!fresh) return
    const rows = await matchedRows(client, fresh)
    const clear = withOnlyMatches(rows, {})
    onDraft({ ...draft, preview: fresh, clear, decisions: validDecisions(rows, decisions) })
  }
  return (
    <>
      <Summary draft={draft} onLeave={onLeave} />
      {preview.errors.length > 0 ? <Mistakes errors={preview.errors} /> : null}
      <ListNotes preview={preview} />
      <LeftOut of={preview} />
      {preview.matched > 0 ? (
        <DecideCard
          preview={preview}
          clear={draft.clear}
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
  const { file, preview, decisions, clear } = draft
  const [asked, setAsked] = useState(false)
  const heading = useFocusFirst<HTMLSpanElement>()
  const isChanged = JSON.stringify(decisions) !== JSON.stringify(clear)
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
          <Button variant="secondary" size="sm" onClick={() => (isChanged ? setAsked(true) : onLeave())}>
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
        The decisions that you have made would be lost.
      </ConfirmDialog>
    </Card>
  )
}

const ListCounts = ({ preview }: { preview: Preview }) => (
  <>
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-3">
      <Count of={preview.new} name="New" means="will be added" />
      <Count of={preview.changed} name="Changed" means="will change" />
      <Count of={preview.same} name="Same" means="stay as they are" />
      <Count of={preview.matched} name="To decide" means="may be here already" />
      <Count of={preview.leaving} name="Not in the list" means="leave only if you say so" />
      {preview.bursaries > 0 ? <Count of={preview.bursaries} name="Bursaries" means="will change" /> : null}
      <Count of={preview.errors.length} name="Mistakes" means="their rows are left out" />
    </dl>
    <p className="mt-3 text-sm">{rowsAccounted(preview)}</p>
    <p className="mt-1 text-sm text-muted">
      {preview.roll === 0
        ? 'No list was imported yet.'
        : `The roll has ${counted(preview.roll, 'child', 'children')} now.`}
    </p>
  </>
)

/** "48 rows: 40 children, 2 left out, 6 with mistakes". The server names 1,000 mistakes at most. */
const rowsAccounted = (preview: Preview): string => {
  const children = preview.new + preview.changed + preview.same + preview.matched
  const wrong = new Set(preview.errors.map(({ row }) => row)).size
  const parts = [
    counted(children, 'child', 'children'),
    ...(preview.leftOutCount > 0 ? [`${wholeNumber(preview.leftOutCount)} left out`] : []),
    ...(wrong > 0 ? [`${wholeNumber(wrong)} with mistakes`] : []),
  ]
  if (preview.errors.length >= maxTold) return `${parts.join(', ')} or more`
  return `${counted(children + preview.leftOutCount + wrong, 'row')}: ${parts.join(', ')}`
}

const Count = ({ of, name, means }: { of: number; name: string; means: string }) => (
  <div className="rounded-md border border-line bg-sand-50 px-3 py-2">
    <dt className="text-sm font-semibold">{name}</dt>
    <dd>
      <span className="money text-xl font-semibold">{wholeNumber(of)}</span>
      <span className="block text-xs text-muted">{means}</span>
    </dd>
  </div>
)

/** Ignored columns and values. */
const ListNotes = ({ preview: { notRead, notJoined } }: { preview: Preview }) => (
  <>
    {notRead.length > 0 ? (
      <Notice tone="warning" title="Columns that are not read">
        <p className="wrap-anywhere">{notRead.join(', ')}</p>
      </Notice>
    ) : null}
    {notJoined.length > 0 ? (
      <Card>
        <CardHeading
          title="Not joined to families"
          hint="These values make nobody a family: each of the children gets a letter of its own. To join brothers and sisters, choose them under Letters and make one letter for all."
        />
        <CardBody>
          <ul className="divide-y divide-line rounded-md border border-line">
            {notJoined.map((one) => (
              <li key={`${one.column} ${one.why} ${one.value}`} className="px-3 py-2 wrap-anywhere">
                <p>
                  <span className="font-semibold">{one.value}</span>
                  <span className="text-sm text-muted">
                    {` · ${columnText[one.column].label} of ${counted(one.children, 'child', 'children')} · ${whyText[one.why]}`}
                  </span>
                </p>
                <p className="text-sm">{namesOf(one)}</p>
              </li>
            ))}
          </ul>
        </CardBody>
      </Card>
    ) : null}
  </>
)

const whyText: Record<NotJoined['why'], string> = {
  placeholder: 'it is nobody’s, and is left out',
  shared: 'different guardians have it',
  name: 'a name alone joins nobody',
}

const namesOf = ({ students, children }: NotJoined): string =>
  children > students.length
    ? `${students.join(', ')} and ${children - students.length} more`
    : students.join(', ')

const shownAtFirst = 10
/** Limit of the server. */
const maxTold = 1000

/** Row numbers of the spreadsheet. */
const Mistakes = ({ errors }: { errors: readonly RollError[] }) => {
  const [all, setAll] = useState(false)
  const shown = all ? errors : errors.slice(0, shownAtFirst)
  return (
    <Card>
      <CardHeading
        title={errors.length >= maxTold ? 'The first 1,000 mistakes' : counted(errors.length, 'mistake')}
        hint="These rows are left out. Correct them in the file and choose it again, or go on without them."
        actions={
          <Button variant="ghost" size="sm" icon="download" onClick={() => void download(errors)}>
            Download Mistakes
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-3">
        <Table label="Mistakes">
          <TableHead>
            <tr>
              <HeadCell>Row</HeadCell>
              <HeadCell>Column</HeadCell>
              <HeadCell>What is wrong</HeadCell>
            </tr>
          </TableHead>
          <TableBody>
            {shown.map(({ row, column, message }) => (
              <tr key={`${row} ${column} ${message}`}>
                <Cell className="money">{row}</Cell>
                <Cell className="max-sm:min-w-24">{column ? columnText[column].label : 'Whole row'}</Cell>
                <Cell className="min-w-32 wrap-anywhere">{message}</Cell>
              </tr>
            ))}
          </TableBody>
        </Table>
        {all || errors.length <= shownAtFirst ? null : (
          <Button variant="secondary" size="sm" className="self-start" onClick={() => setAll(true)}>
            {`Show all ${wholeNumber(errors.length)}`}
          </Button>
        )}
      </CardBody>
    </Card>
  )
}

const download = async (errors: readonly RollError[]) => {
  const rows = errors.map(({ row, column, message }) => [
    String(row),
    column ? columnText[column].label : 'Whole row',
    message,
  ])
  saveCsv('school-list-mistakes.csv', await csvFile(['Row', 'Column', 'What is wrong'], rows))
}

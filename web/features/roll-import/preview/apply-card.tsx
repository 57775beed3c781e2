import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import type { ReplyOf } from '#contracts/endpoint'
import type { previewLetters } from '#contracts/roll-import'
import { CallError, messageOf } from '../../../lib/call'
import { counted, wholeNumber, gradeLabel } from '../../../lib/format'
import { adminToast, notifyFailure } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Checkbox } from '../../../ui/checkbox'
import { Dialog } from '../../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { LongWork, useStillHere } from '../../../ui/long-work'
import { Notice } from '../../../ui/notice'
import { Paged } from '../../../ui/paged-list'
import { QueryResult } from '../../../ui/query-result'
import {
  applying,
  type Decisions,
  type Preview,
  type PreviewDraft,
  type Result,
  leavingQuery,
  lettersQuery,
} from '../import-draft'
import { FileCheckBar } from '../use-looking'

type Again = { lookAgain: () => Promise<void>; sent: number | null; problem: string | null }
type ApplyCardProps = { draft: PreviewDraft; again: Again; onApplied: (result: Result) => void }

/** Applies the preview; if outdated, leads to a new one. */
export const ApplyCard = ({ draft: { preview, decisions }, again, onApplied }: ApplyCardProps) => {
  const apply = useMutation(applying)
  const isApplying = useIsMutating({ mutationKey: applying.mutationKey }) > 0
  const isHere = useStillHere()
  const [failure, setFailure] = useState<unknown>(null)
  if (preview.new + preview.changed + preview.matched + preview.leaving === 0)
    return (
      <Card>
        <CardBody>
          {preview.same > 0 ? 'The roll is already as in this list.' : 'There is nothing in it to apply.'}
        </CardBody>
      </Card>
    )
  return (
    <Card>
      <CardHeading title="Apply the list" hint="For 7 days it can be undone." />
      <CardBody>
        <div hidden={isApplying}>
          <Form
            schema={applyForm(preview)}
            defaultValues={{ remove: false, confirm: '' }}
            onSave={async ({ remove }) => {
              setFailure(null)
              const body = { remove, decisions, ...(remove && { confirm: preview.leaving }) }
              const result = await apply.mutateAsync({ params: { id: preview.id }, body })
              if (!isHere()) adminToast({ title: 'The list is applied', text: 'See it under Import' })
              onApplied(result)
            }}
            failed={(error) =>
              isHere() ? setFailure(error) : notifyFailure(error, 'Failed to apply the list', 'Import')
            }
            className="flex flex-col gap-4"
          >
            <p>{summaryOf(preview, Object.values(decisions))}</p>
            <Letters id={preview.id} decisions={decisions} />
            {preview.leaving > 0 ? <RemoveChoice preview={preview} /> : null}
            {failure ? <ApplyFailure failure={failure} again={again} /> : null}
            <SubmitButton icon="check" busyLabel="Applying..." className="sm:self-end">
              Apply List
            </SubmitButton>
          </Form>
        </div>
        {isApplying ? (
          <LongWork label="The list is applied">
            Applying the list. You can leave; the result and its letters then wait here.
          </LongWork>
        ) : null}
      </CardBody>
    </Card>
  )
}

/** Above a tenth of the roll, the number must be typed. */
const isMany = ({ leaving, roll }: Preview): boolean => leaving * 10 > roll

const applyForm = (preview: Preview) =>
  z.object({ remove: z.boolean(), confirm: z.string().check(z.trim()) }).check(
    z.refine(({ remove, confirm }) => !remove || !isMany(preview) || confirm === String(preview.leaving), {
      message: `Type ${preview.leaving} if so many are to leave`,
      path: ['confirm'],
    }),
  )

const summaryOf = (preview: Preview, decided: readonly (number | 'new')[]): string => {
  const asNew = decided.filter((one) => one === 'new').length
  const leftOut = preview.matched - decided.length
  return [
    `${counted(preview.new + asNew, 'child', 'children')} new`,
    `${wholeNumber(preview.changed + decided.length - asNew)} changed`,
    ...(leftOut > 0 ? [`${counted(leftOut, 'undecided row')} left out`] : []),
  ].join(', ')
}

/** Mails leave at once, so they are counted before. */
const Letters = ({ id, decisions }: { id: string; decisions: Decisions }) => {
  const remove = useWatch<{ remove: boolean }, 'remove'>({ name: 'remove' })
  const letters = useQuery(lettersQuery(id, { remove, decisions }))
  return (
    <div aria-live="polite" className="min-h-6">
      <QueryResult query={letters} failure="Failed to count the letters" waiting={null}>
        {(ahead) => (
          <p className={letters.isPlaceholderData ? 'text-muted' : undefined}>{lettersText(ahead)}</p>
        )}
      </QueryResult>
    </div>
  )
}

const lettersText = ({ letters, mailed }: ReplyOf<typeof previewLetters>): string => {
  if (letters === 0) return 'No letters with claim codes are made.'
  const made = counted(letters, 'family gets', 'families get')
  if (mailed === 0) return `${made} a letter with a claim code. None goes out by mail: print them.`
  const sent = mailed === letters ? (letters === 1 ? 'It goes' : 'All go') : counted(mailed, 'goes', 'go')
  const rest = letters - mailed
  const printed = rest === 0 ? '' : ` ${counted(rest, 'is', 'are')} only to print.`
  return `${made} a letter with a claim code. ${sent} out by mail as soon as you apply the list.${printed}`
}

const RemoveChoice = ({ preview }: { preview: Preview }) => {
  const { register } = useFormContext()
  const [open, setOpen] = useState(false)
  const remove = useWatch<{ remove: boolean }, 'remove'>({ name: 'remove' })
  const { leaving } = preview
  return (
    <>
      <Checkbox
        {...register('remove')}
        label={
          leaving === 1
            ? 'Remove the child who is not in the list'
            : `Remove the ${wholeNumber(leaving)} children who are not in the list`
        }
        hint="They leave the school: their accounts stay and order nothing any more. Who has lunches to come is kept and named."
      />
      <Button variant="secondary" size="sm" className="self-start" onClick={() => setOpen(true)}>
        Show Who Is Not in the List
      </Button>
      {open ? <LeavingDialog id={preview.id} onClose={() => setOpen(false)} /> : null}
      {remove && isMany(preview) ? (
        <FormField
          name="confirm"
          label={`That is more than a tenth of the roll. Type ${leaving} to confirm it`}
          className="max-w-form"
          inputMode="numeric"
          autoComplete="off"
        />
      ) : null}
    </>
  )
}

const ApplyFailure = ({ failure, again }: { failure: unknown; again: Again }) => {
  const code = failure instanceof CallError ? failure.code : null
  const words = messageOf(
    failure,
    'Failed to apply the list',
    'No answer. The list may have been applied all the same: the last import is shown below if it was.',
  )
  if (code !== 'roll_changed' && code !== 'import_not_found') return <Notice tone="danger">{words}</Notice>
  return (
    <Notice tone="danger" title="Nothing was applied">
      <p>{words}</p>
      {again.sent === null ? (
        <Button variant="secondary" size="sm" icon="refresh" onClick={() => void again.lookAgain()}>
          Check the File Again
        </Button>
      ) : (
        <FileCheckBar sent={again.sent} />
      )}
      {again.problem && again.sent === null ? <p>{again.problem}</p> : null}
    </Notice>
  )
}

const LeavingDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const [page, setPage] = useState(1)
  const leaving = useQuery(leavingQuery(id, page))
  return (
    <Dialog open onClose={onClose} title="Not in the list">
      <QueryResult query={leaving} failure="Failed to fetch the children">
        {({ data, metadata }) => (
          <Paged
            page={page}
            totalPages={Math.max(1, metadata.totalPages)}
            busy={leaving.isPlaceholderData}
            onPage={setPage}
          >
            <ul className="divide-y divide-line rounded-md border border-line">
              {data.map((child) => (
                <li key={child.id} className="px-3 py-2 break-words">
                  <span className="font-semibold">{child.name}</span>{' '}
                  <span className="text-sm text-muted">
                    {[
                      child.class ?? gradeLabel(child.grade),
                      child.admissionNumber,
                      child.parent && `account of ${child.parent}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          </Paged>
        )}
      </QueryResult>
    </Dialog>
  )
}

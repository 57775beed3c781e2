import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Parent } from '#contracts/accounts'
import type { ReplyOf } from '#contracts/endpoint'
import type { RollEntry } from '#contracts/enrolment'
import { gradeNames, updateStudent } from '#contracts/identity'
import { messageOf } from '../../lib/call'
import { gradeLabel, counted, longDay } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { usePaused } from '../../lib/use-time'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Notice } from '../../ui/notice'
import { FoundButton, ChooseFound } from './choose-found'
import { MergeDialog } from './merge-dialog'
import {
  type RollRequest,
  type OtherDialogs,
  distinguishingTexts,
  type RollAct,
  edit,
  accountsQuery,
  move,
  minSearchLength,
} from './roll-act'

type RollDialogsProps = {
  asked: RollRequest | null
  onAsk: (asked: RollRequest | null) => void
  others: OtherDialogs
}

export const RollDialogs = ({ asked, onAsk, others }: RollDialogsProps) => {
  const [affected, setAffected] = useState<Affected | null>(null)
  const close = () => onAsk(null)
  return (
    <>
      {asked ? dialogOf(asked, { onAsk, others, onAffected: setAffected, onClose: close }) : null}
      {affected ? <AffectedLunches affected={affected} onClose={() => setAffected(null)} /> : null}
    </>
  )
}

type Ways = Pick<RollDialogsProps, 'onAsk' | 'others'> & {
  onAffected: (affected: Affected) => void
  onClose: () => void
}

const dialogOf = ({ act, child }: RollRequest, { onAsk, others, onAffected, onClose }: Ways): ReactNode => {
  switch (act) {
    case 'edit':
      return <EditDialog child={child} onAffected={onAffected} onClose={onClose} />
    case 'more':
      return <MoreDialog child={child} onAct={(next) => onAsk({ act: next, child })} onClose={onClose} />
    case 'move':
      return <MoveDialog child={child} onClose={onClose} />
    case 'merge':
      return <MergeDialog child={child} onClose={onClose} />
    case 'guardians':
    case 'letter':
      return others[act](child, onClose)
  }
}

type MoreDialogProps = { child: RollEntry; onAct: (act: RollAct) => void; onClose: () => void }

const MoreDialog = ({ child, onAct, onClose }: MoreDialogProps) => (
  <Dialog
    open
    onClose={onClose}
    title={child.name}
    description={distinguishingTexts(child).filter(Boolean).join(' · ')}
  >
    <ul className="mb-3 divide-y divide-line rounded-md border border-line">
      <FoundButton
        title="Move to another account"
        more={['Its lunches follow, payments stay with who has paid']}
        onChoose={() => onAct('move')}
      />
      <FoundButton
        title="Join with another entry"
        more={['For a child that was entered twice']}
        onChoose={() => onAct('merge')}
      />
      {child.parent ? (
        <FoundButton
          title="Guardians"
          more={['Who orders for the child']}
          onChoose={() => onAct('guardians')}
        />
      ) : null}
      {child.parent || child.leftAt ? null : (
        <FoundButton
          title="New letter"
          more={['With a new code for its family']}
          onChoose={() => onAct('letter')}
        />
      )}
    </ul>
  </Dialog>
)

type EditDialogProps = {
  child: RollEntry
  /** Lunches missing on the new grade's menu. */
  onAffected: (affected: Affected) => void
  onClose: () => void
}

const EditDialog = ({ child, onAffected, onClose }: EditDialogProps) => {
  const editing = useMutation(edit)
  const { name, grade, version } = child
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save"
      busyLabel="Saving..."
      schema={updateStudent.body}
      defaultValues={{
        name,
        grade,
        class: child.class ?? '',
        admissionNumber: child.admissionNumber ?? '',
        version,
      }}
      onSave={async (body) => {
        const saved = await editing.mutateAsync({ params: { id: child.id }, body })
        if (saved.affectedOrders.length > 0) onAffected(saved)
      }}
      done="Child saved"
      failed="Failed to save the child"
      onClose={onClose}
      className="grid items-start gap-4 sm:grid-cols-2"
    >
      <FormField name="name" label="Name" className="sm:col-span-2" autoComplete="off" maxLength={120} />
      <FormField
        name="grade"
        label="Grade"
        options={gradeNames.map((value) => ({ value, label: gradeLabel(value) }))}
      />
      <FormField
        name="class"
        label="Class (optional)"
        hint="For example 3B"
        autoComplete="off"
        maxLength={20}
      />
      <FormField
        name="admissionNumber"
        label="Admission number (optional)"
        className="sm:col-span-2"
        autoComplete="off"
        maxLength={40}
      />
    </FormDialog>
  )
}

type MoveDialogProps = { child: RollEntry; onClose: () => void }

/** First the account, then what moves with the child. */
const MoveDialog = ({ child, onClose }: MoveDialogProps) => {
  const [account, setAccount] = useState<Parent | null>(null)
  const [typed, setTyped] = useState('')
  if (account)
    return <MoveQuestion child={child} account={account} onBack={() => setAccount(null)} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Move ${child.name} to another account`}>
      <ChooseAccount child={child} typed={typed} onTyped={setTyped} onChoose={setAccount} />
    </Dialog>
  )
}

type ChooseAccountProps = {
  child: RollEntry
  typed: string
  onTyped: (typed: string) => void
  onChoose: (account: Parent) => void
}

const typingMs = 300

const ChooseAccount = ({ child, typed, onTyped, onChoose }: ChooseAccountProps) => {
  const search = usePaused(typed.trim(), typingMs)
  const accounts = useQuery({
    ...accountsQuery(search),
    select: ({ data }) => data.filter(({ id, role }) => role === 'parent' && id !== child.parent?.id),
  })
  return (
    <ChooseFound
      label="Which account?"
      hint={`At least ${minSearchLength} letters of the name, username, email, phone or of another child`}
      typed={typed}
      onTyped={onTyped}
      query={search.length >= minSearchLength ? accounts : null}
      failure="Failed to fetch accounts"
    >
      {(account) => (
        <FoundButton
          key={account.id}
          title={`${account.name} (${account.username})`}
          more={[account.phone, account.email, account.students.map(({ name }) => name).join(', ')]}
          onChoose={() => onChoose(account)}
        />
      )}
    </ChooseFound>
  )
}

type MoveQuestionProps = MoveDialogProps & { account: Parent; onBack: () => void }

const MoveQuestion = ({ child, account, onBack, onClose }: MoveQuestionProps) => {
  const moving = useMutation(move)
  const confirm = () =>
    moving.mutate(
      { params: { id: child.id }, body: { parentId: account.id } },
      {
        onSuccess: () => {
          adminToast({ title: `${child.name} is with ${account.name} now` })
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${child.name} to ${account.name} (${account.username})?`}
      actions={
        <>
          <Button variant="secondary" disabled={moving.isPending} onClick={onBack}>
            Back
          </Button>
          <Button busy={moving.isPending} busyLabel="Moving..." onClick={confirm}>
            Move Child
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-2 pl-5">
        <li>{`${account.name} orders for ${child.name} from now on, and sees and may cancel the lunches to come.`}</li>
        <li>Payments, receipts and refunds stay with who has paid.</li>
        <li>{whoIsLeft(child)}</li>
      </ul>
      {moving.error ? (
        <div className="mt-4">
          <Notice tone="danger">{messageOf(moving.error, 'Failed to move the child')}</Notice>
        </div>
      ) : null}
    </Dialog>
  )
}

const whoIsLeft = ({ parent, guardian }: RollEntry): string => {
  if (parent) return `${parent.name} (${parent.username}) no longer has the child. Other guardians stay.`
  const name = guardian?.name ? `, ${guardian.name},` : ''
  return `The account takes the place of the guardian on the list of the school${name} and the child needs no claim code any more.`
}

type Affected = ReplyOf<typeof updateStudent>

/** Not on the new grade's menu. */
const AffectedLunches = ({ affected, onClose }: { affected: Affected; onClose: () => void }) => {
  const { name, grade, affectedOrders } = affected
  const lunches = counted(affectedOrders.length, 'lunch', 'lunches')
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${lunches} of ${name} ${affectedOrders.length === 1 ? 'is' : 'are'} not on the menu of ${gradeLabel(grade)}`}
      description="They stay ordered and are cooked as they are. The family can change or cancel them in its Order History."
      actions={<Button onClick={onClose}>Got It</Button>}
    >
      <ul className="divide-y divide-line rounded-md border border-line">
        {affectedOrders.map(({ orderId, date, menuItem }) => (
          <li key={orderId} className="px-3 py-2">
            <span className="font-semibold">{longDay(date)}</span>: {menuItem}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

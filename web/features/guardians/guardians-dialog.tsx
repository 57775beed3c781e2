import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Guardian, type GuardianInvite, inviteGuardian, type SharedInvite } from '#contracts/accounts'
import type { Student } from '#contracts/identity'
import { copy } from '../../lib/copy'
import { dayAndMonth } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { notifyFailure, toast } from '../../lib/toast'
import { studentsQuery } from '../../queries/identity'
import { Badge, Breakable } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'
import { guardiansQuery, invite, remove, withdraw } from './api'

type Child = { id: number; name: string }
type DialogProps = { student: Child; byOffice?: boolean; onClose: () => void }

/** The office cannot invite. */
export const GuardiansDialog = ({ student, byOffice = false, onClose }: DialogProps) => {
  const query = useQuery(guardiansQuery(student.id))
  return (
    <Dialog open onClose={onClose} title={`Guardians of ${student.name}`}>
      <QueryResult query={query} failure="Failed to load the guardians. Please try again.">
        {({ guardians, invites }) => (
          <div className="flex flex-col gap-4">
            <ul aria-label="Guardians" className="divide-y divide-line">
              {guardians.map((guardian) => (
                <GuardianRow key={guardian.userId} student={student} guardian={guardian} asks={byOffice} />
              ))}
              {invites.map((open) => (
                <InviteRow key={open.id} id={student.id} open={open} />
              ))}
            </ul>
            {byOffice ? null : <InviteForm id={student.id} />}
          </div>
        )}
      </QueryResult>
    </Dialog>
  )
}

type GuardianRowProps = { student: Child; guardian: Guardian; asks: boolean }

const GuardianRow = ({ student, guardian: { userId, name, first }, asks }: GuardianRowProps) => {
  const [asked, setAsked] = useState(false)
  const removing = useMutation({
    ...remove,
    onSuccess: () => toast({ title: `${name} is no longer a guardian` }),
    onError: (error) => notifyFailure(error, 'Failed to remove the guardian'),
  })
  const confirm = () => {
    setAsked(false)
    removing.mutate({ params: { id: student.id, userId } })
  }
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-2 py-1">
      <p className="min-w-0 flex-1 basis-[8rem] font-semibold wrap-anywhere">
        <Breakable text={name} />
      </p>
      {first ? (
        <Badge tone="brand">First guardian</Badge>
      ) : (
        <IconButton
          icon="trash"
          variant="danger"
          label={`Remove ${name}`}
          disabled={removing.isPending}
          onClick={() => (asks ? setAsked(true) : confirm())}
        />
      )}
      <ConfirmDialog
        open={asked}
        title={`Remove ${name} as a guardian of ${student.name}?`}
        confirm="Remove"
        danger
        onClose={() => setAsked(false)}
        onConfirm={confirm}
      >
        {`${name} can no longer order for ${student.name}. Lunches that they have ordered stay, and so does what they have paid. The first guardian can invite them again.`}
      </ConfirmDialog>
    </li>
  )
}

const InviteRow = ({ id, open }: { id: number; open: GuardianInvite }) => {
  const { id: inviteId, email, expiresAt } = open
  const withdrawing = useMutation({
    ...withdraw,
    onSuccess: () => toast({ title: 'The invitation is withdrawn' }),
    onError: (error) => notifyFailure(error, 'Failed to withdraw the invitation'),
  })
  const whom = email ?? 'whoever has the code'
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-2 py-1">
      <div className="min-w-0 flex-1 basis-[8rem]">
        <p className="wrap-anywhere">
          <Breakable text={email ?? 'Whoever has the code'} />
        </p>
        <p className="text-sm text-muted">Invited, until {dayAndMonth(schoolDate(expiresAt))}</p>
      </div>
      <IconButton
        icon="trash"
        variant="danger"
        label={`Withdraw the invitation of ${whom}`}
        disabled={withdrawing.isPending}
        onClick={() => withdrawing.mutate({ params: { id, inviteId } })}
      />
    </li>
  )
}

/** By a mail, or by a code that the inviter passes on. */
const InviteForm = ({ id }: { id: number }) => {
  const others = useOtherChildren(id)
  const [forAll, setForAll] = useState(true)
  const [shared, setShared] = useState<SharedInvite | null>(null)
  const inviting = useMutation(invite)
  const studentIds = forAll && others.length > 0 ? others.map((child) => child.id) : undefined
  const send = (email?: string) =>
    inviting.mutateAsync({
      params: { id },
      body: { ...(email && { email }), ...(studentIds && { studentIds }) },
    })
  const makeCode = () => send().then(setShared, notifyNotInvited)
  return (
    <div className="flex flex-col gap-3">
      {others.length > 0 ? (
        <Checkbox
          label={`Also for ${new Intl.ListFormat('en').format(others.map(({ name }) => name))}`}
          checked={forAll}
          onChange={(event) => setForAll(event.target.checked)}
        />
      ) : null}
      <Form
        schema={inviteGuardian.body}
        defaultValues={{ email: '' }}
        onSave={async ({ email }, form) => {
          await send(email)
          toast({ title: 'Invitation sent', text: `${email} has a link that works for 7 days.` })
          form.reset()
        }}
        failed={notifyNotInvited}
        className="flex flex-col gap-3"
      >
        <FormField
          name="email"
          label="Email address of another guardian"
          type="email"
          autoComplete="off"
          maxLength={254}
          hint="They can order, see and cancel lunches and read allergies. Each pays for what they order."
        />
        <SubmitButton className="self-end" busyLabel="Sending…">
          Send Invitation
        </SubmitButton>
      </Form>
      {shared ? <Shared invite={shared} /> : null}
      <Button
        variant="secondary"
        className="self-end"
        disabled={inviting.isPending}
        onClick={() => void makeCode()}
      >
        Make a code to share
      </Button>
    </div>
  )
}

const notifyNotInvited = (error: unknown) => notifyFailure(error, 'Failed to send the invitation')

const useOtherChildren = (id: number): Student[] => {
  const students = useQuery(studentsQuery).data ?? []
  const parentId = students.find((child) => child.id === id)?.parentId
  return students.filter(
    (child) => child.id !== id && child.parentId === parentId && child.grade !== 'teacher',
  )
}

const Shared = ({ invite: { code, link, expiresAt } }: { invite: SharedInvite }) => (
  <output className="flex flex-col gap-1 rounded-md border border-line px-4 py-3 text-sm">
    <span>
      Whoever opens this link first, or types the code under Add children with a code, becomes a guardian. It
      works once, until {dayAndMonth(schoolDate(expiresAt))}.
    </span>
    <span className="font-mono text-lg font-semibold select-all">{code}</span>
    <span className="wrap-anywhere select-all">{link}</span>
    <Button
      variant="secondary"
      icon="copy"
      className="self-end"
      onClick={() => void copy(link, 'the invitation link')}
    >
      Copy the link
    </Button>
  </output>
)

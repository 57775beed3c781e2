import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Parent } from '#contracts/parents'
import type { RollEntry } from '#contracts/roll'
import { messageOf } from '../../lib/call'
import { adminToast } from '../../lib/toast'
import { usePaused } from '../../lib/use-paused'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { accountsQuery, move, shortestSearch } from './api'
import { ChooseFound, FoundButton } from './choose-found'

type MoveDialogProps = { child: RollEntry; onClose: () => void }

/** Puts a child on another account: first which one, then what follows the child and what stays. */
export const MoveDialog = ({ child, onClose }: MoveDialogProps) => {
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
      hint={`At least ${shortestSearch} letters of the name, username, e-mail, phone or of another child`}
      typed={typed}
      onTyped={onTyped}
      query={search.length >= shortestSearch ? accounts : null}
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

import { useState } from 'react'
import { Link } from 'react-router-dom'
import * as z from 'zod/mini'
import { messageOf } from '../../lib/call'
import { kwacha } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Notice } from '../../ui/notice'

/** What the school owes a family, in kwacha; `creditBalance` with what payments under way hold. */
export type CreditLeft = { creditBalance: number; owed: number }

type GivingUpDialogProps = {
  username: string
  left: CreditLeft
  /** Leaves the dialog for the credit of the family; null for who may not pay out. */
  onPayOut: (() => void) | null
  onGiveUp: () => Promise<unknown>
  onClose: () => void
}

/** Deletes a family that is owed something only after its username was typed; offers to pay it out first. */
export const GivingUpDialog = ({ username, left, onPayOut, onGiveUp, onClose }: GivingUpDialogProps) => {
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <FormDialog
      title={`${username} is still owed ${kwacha(left.creditBalance + left.owed)}`}
      description="Pay it out first, or give it up: then the school keeps it, and nobody can pay it out any more."
      submit="Give Up and Delete"
      busyLabel="Deleting..."
      variant="danger"
      schema={z.object({
        username: z
          .string()
          .check(z.refine((text) => text === username, `Type ${username}, as it is written here`)),
      })}
      defaultValues={{ username: '' }}
      onSave={() => {
        setFailure(null)
        return onGiveUp()
      }}
      failed={(error) => setFailure(messageOf(error, 'Force deletion failed'))}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <Amounts left={left} mayPayOut={onPayOut !== null} />
      {onPayOut && left.creditBalance > 0 ? (
        <Button variant="secondary" size="sm" icon="wallet" className="self-start" onClick={onPayOut}>
          Pay Out First
        </Button>
      ) : null}
      <FormField
        name="username"
        label={`Type ${username} to give it up`}
        hint="Orders still to be cooked are cancelled. This cannot be undone."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {failure ? <Notice tone="danger">{failure}</Notice> : null}
    </FormDialog>
  )
}

const Amounts = ({ left, mayPayOut }: { left: CreditLeft; mayPayOut: boolean }) => (
  <>
    <ul className="divide-y divide-line rounded-md border border-line px-3">
      {left.creditBalance > 0 ? (
        <li className="py-2">
          <strong className="money">{kwacha(left.creditBalance)}</strong> of credit (including what a payment
          under way holds)
        </li>
      ) : null}
      {left.owed > 0 ? (
        <li className="py-2">
          <strong className="money">{kwacha(left.owed)}</strong> to be paid back
          {mayPayOut ? (
            <>
              {', under '}
              <Link to={paths.section('refunds')} className="font-semibold underline">
                Refund Management
              </Link>
            </>
          ) : null}
        </li>
      ) : null}
    </ul>
    {mayPayOut ? null : <p className="text-sm">An administrator who manages refunds can pay it out first.</p>}
  </>
)

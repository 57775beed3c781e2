import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { claimStudents } from '#contracts/roll-import'
import { CallError } from '../../lib/call'
import { counted } from '../../lib/format'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
import { claimChildren, notifyFailure } from './api'

type ClaimChildrenProps = {
  /** Of the address that a letter leads to; null: whoever has a code asks for the field. */
  code: string | null
  /** The field is no longer wanted: the children are there, or it was closed. */
  onDone: () => void
}

/** The code of a letter of the school's puts the children that it is for on this account. */
export const ClaimChildren = ({ code, onDone }: ClaimChildrenProps) => {
  const [open, setOpen] = useState(code !== null)
  const claiming = useMutation(claimChildren)
  const close = () => {
    setOpen(false)
    onDone()
  }
  if (!open)
    return (
      <Button variant="secondary" icon="plus" onClick={() => setOpen(true)}>
        Add children with a code
      </Button>
    )
  return (
    <Form
      schema={claimStudents.body}
      defaultValues={{ code: code ?? '' }}
      onSave={async (typed, form) => {
        try {
          tellAdded(await claiming.mutateAsync(typed))
          close()
        } catch (error) {
          const wait = waitOf(error)
          if (wait === null) throw error
          form.setError('code', { message: wait }, { shouldFocus: true })
        }
      }}
      failed={(error) => {
        if (!isUnderField(error)) notifyFailure(error, 'Failed to add the children')
      }}
      className="flex flex-col gap-4"
    >
      <CodeField asked={code === null} />
      <div className="flex flex-wrap justify-end gap-2">
        <CancelButton onCancel={close} />
        <SubmitButton busyLabel="Adding…">Add my children</SubmitButton>
      </div>
    </Form>
  )
}

/** The hand that asked for the field is there already; whoever comes from a letter reads the page first. */
const CodeField = ({ asked }: { asked: boolean }) => {
  const { setFocus } = useFormContext()
  useEffect(() => {
    if (asked) setFocus('code')
  }, [asked, setFocus])
  return (
    <FormField
      name="code"
      label="Code of the School's Letter"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      className="[&_input]:uppercase"
      hint="8 letters. With them come the children as the school has them, with grade and class."
    />
  )
}

const tellAdded = (added: readonly { name: string }[]) => {
  const names = new Intl.ListFormat('en').format(added.map(({ name }) => name))
  toast({
    title: `${names} ${added.length === 1 ? 'is' : 'are'} added`,
    text: 'Meals can now be chosen in the Menu Calendar.',
  })
}

const isUnderField = (error: unknown) => error instanceof CallError && 'code' in error.fields

/** How long to wait before another code is tried; null where that is not the matter. */
const waitOf = (error: unknown): string | null => {
  if (!(error instanceof CallError) || error.status !== 429) return null
  const minutes = Math.ceil(Number(error.reply?.['retryAfter'] ?? 60) / 60)
  return `Too many tries. Wait ${counted(minutes, 'minute')}, then try again.`
}

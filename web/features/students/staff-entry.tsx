import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addStaffEntry } from '#contracts/staff'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
import { endpointMutation } from '../../lib/endpoint-query'
import { notifyFailure, studentsQuery } from './api'

const createStaffEntry = endpointMutation(addStaffEntry, 'identity')

/** A parent who works at the school adds a staff entry beside the children; nothing where there is one, or nobody knows yet. */
export const StaffEntry = () => {
  const students = useQuery(studentsQuery).data
  const [open, setOpen] = useState(false)
  const adding = useMutation(createStaffEntry)
  if (!students || students.some(({ grade }) => grade === 'teacher')) return null
  if (!open)
    return (
      <Button variant="ghost" className="-ml-4" onClick={() => setOpen(true)}>
        I work at this school
      </Button>
    )
  return (
    <Form
      schema={addStaffEntry.body}
      defaultValues={{ code: '' }}
      onSave={async ({ code }) => {
        const { name } = await adding.mutateAsync({ body: { code } })
        toast({ title: `${name} is added`, text: 'You can now order for yourself too.' })
      }}
      failed={(error) => notifyFailure(error, 'Failed to add your staff account')}
      className="flex flex-col gap-4"
    >
      <FormField
        name="code"
        label="Staff code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        hint="The school tells it to its staff. You then order for yourself beside your children."
      />
      <div className="flex justify-end gap-2">
        <CancelButton onCancel={() => setOpen(false)} />
        <SubmitButton busyLabel="Adding…">Add my staff account</SubmitButton>
      </div>
    </Form>
  )
}

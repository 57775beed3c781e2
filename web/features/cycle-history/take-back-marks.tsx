import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { takeMarksBack } from '#contracts/serving'
import { endpointMutation } from '../../lib/endpoint-query'
import { counted } from '../../lib/format'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'

/** For a hatch device that was stolen or marked wrongly. */
export const TakeBackMarks = () => {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" icon="undo" onClick={() => setAsking(true)}>
        Take Back Marks
      </Button>
      {asking ? <Question onClose={() => setAsking(false)} /> : null}
    </>
  )
}

const Question = ({ onClose }: { onClose: () => void }) => {
  const taking = useMutation(takeBack)
  return (
    <FormDialog
      title="Take back what a user marked?"
      description="All that this user marked at the hatch for the lunches of the day no longer counts: given, absent and problem. Marks of others stay. The history says who took them back."
      submit="Take Back"
      busyLabel="Taking back..."
      variant="danger"
      schema={takeMarksBack.body}
      defaultValues={{ date: schoolDate(schoolNow()), by: '' }}
      onSave={async (body) => {
        const { takenBack } = await taking.mutateAsync({ body })
        adminToast({ title: `${counted(takenBack, 'mark')} of ${body.by} taken back` })
      }}
      failed="Failed to take the marks back"
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      <FormField name="date" label="Date of the lunches" type="date" />
      <FormField name="by" label="Username that made the marks" autoComplete="off" maxLength={120} />
    </FormDialog>
  )
}

const takeBack = endpointMutation(takeMarksBack, 'ordering')

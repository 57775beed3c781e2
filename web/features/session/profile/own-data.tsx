import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { familyData } from '#contracts/privacy'
import { messageOf } from '../../../lib/call'
import { endpointMutation } from '../../../lib/endpoint-query'
import { saveJson } from '../../../lib/files'
import { paths } from '../../../lib/paths'
import { schoolDate } from '../../../lib/school-moment'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Form, FormField, SubmitButton } from '../../../ui/form'

/** All that is kept about the family, as one file, for the password. */
export const OwnData = () => {
  const [asked, setAsked] = useState(false)
  return (
    <section className="mt-5 flex flex-col items-start gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">Your data</h3>
      <p className="text-sm text-muted">
        One file with all that is kept about your family. How long, and whom to ask, says the{' '}
        <a
          href={paths.privacy}
          target="_blank"
          rel="noopener"
          className="font-semibold text-brand-700 underline"
        >
          Privacy Notice
        </a>
        .
      </p>
      {asked ? (
        <DownloadForm onDone={() => setAsked(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setAsked(true)}>
          Download My Data
        </Button>
      )}
    </section>
  )
}

const askData = endpointMutation(familyData)

const DownloadForm = ({ onDone }: { onDone: () => void }) => {
  const asking = useMutation(askData)
  return (
    <Form
      schema={familyData.body}
      defaultValues={{ currentPassword: '' }}
      onSave={async (body) => {
        const file = await asking.mutateAsync({ body })
        saveJson(`${file.username}-${schoolDate(file.madeAt)}.json`, file)
        toast({ title: 'Your data is downloaded' })
        onDone()
      }}
      failed={(error) =>
        toast({ title: 'Not downloaded', text: messageOf(error, 'Please try again.'), kind: 'error' })
      }
      className="flex w-full flex-col gap-4"
    >
      <FormField
        name="currentPassword"
        label="Your password"
        type="password"
        autoComplete="current-password"
        hint="So that nobody else takes your data from this device."
      />
      <SubmitButton busyLabel="Downloading...">Download</SubmitButton>
    </Form>
  )
}

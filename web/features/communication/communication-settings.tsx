import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { communicationSettings, type getCommunication, saveCommunication } from '#contracts/identity'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'
import { endpointMutation } from '../../lib/endpoint-query'
import { communicationQuery } from '../../queries/identity'

export const CommunicationSettings = () => {
  const contacts = useQuery(freshContactsQuery)
  return (
    <Card>
      <CardHeading title="Communication" hint="How families reach you from the Contact dialog" />
      <CardBody>
        <QueryResult query={contacts} failure="Failed to fetch communication settings">
          {(saved) => <ContactsForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const ContactsForm = ({ saved }: { saved: ReplyOf<typeof getCommunication> }) => {
  const saving = useMutation(saveContacts)
  return (
    <Form
      schema={communicationSettings}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Communication settings saved successfully' })
      }}
      failed="Failed to save communication settings"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="supportEmail"
        label="Support email"
        type="email"
        autoComplete="off"
        maxLength={254}
        hint="Messages of the contact form arrive here; without it the form cannot be sent"
      />
      <FormField
        name="whatsappNumber"
        label="WhatsApp number"
        type="tel"
        autoComplete="off"
        maxLength={40}
        hint="With the country code, for example +260 97 1234567"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Communication Settings
      </SubmitButton>
    </Form>
  )
}

/** Refetched whenever opened: others may have changed it. */
export const freshContactsQuery = { ...communicationQuery, staleTime: 0 }

export const saveContacts = endpointMutation(saveCommunication, 'identity')

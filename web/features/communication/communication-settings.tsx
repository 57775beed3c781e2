import { useMutation } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { type getCommunication, saveCommunication } from '#contracts/identity'
import { getPrivacySettings, savePrivacySettings } from '#contracts/privacy'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { paths } from '../../lib/paths'
import { adminToast } from '../../lib/toast'
import { communicationQuery } from '../../queries/identity'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'

export const CommunicationSettings = () => {
  const contacts = useFresh(freshContactsQuery)
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <CardHeading title="Communication" hint="How families reach you from the Contact dialog" />
        <CardBody>
          <QueryResult query={contacts} failure="Failed to fetch communication settings">
            {(saved) => <ContactsForm saved={saved} />}
          </QueryResult>
        </CardBody>
      </Card>
      <DataProtection />
    </div>
  )
}

const ContactsForm = ({ saved }: { saved: ReplyOf<typeof getCommunication> }) => {
  const saving = useMutation(saveContacts)
  return (
    <Form
      schema={saveCommunication.body}
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

/** Refetched whenever opened. */
const privacySettingsQuery = { ...endpointQuery('identity', getPrivacySettings, {}), staleTime: 0 }
const saveOfficer = endpointMutation(savePrivacySettings, 'identity')

const DataProtection = () => (
  <Card>
    <CardHeading
      title="Data protection"
      hint="Whom families ask about their data; the privacy notice shows it"
      actions={
        <a
          href={paths.privacy}
          target="_blank"
          rel="noopener"
          className="font-semibold text-brand-700 underline"
        >
          Privacy Notice
        </a>
      }
    />
    <CardBody>
      <QueryResult query={useFresh(privacySettingsQuery)} failure="Failed to fetch the privacy settings">
        {(saved) => <OfficerForm saved={saved} />}
      </QueryResult>
    </CardBody>
  </Card>
)

const OfficerForm = ({ saved }: { saved: ReplyOf<typeof getPrivacySettings> }) => {
  const saving = useMutation(saveOfficer)
  return (
    <Form
      schema={savePrivacySettings.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Privacy settings saved successfully' })
      }}
      failed="Failed to save the privacy settings"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="dataProtectionOfficer"
        label="Data protection officer"
        autoComplete="off"
        maxLength={200}
        hint="Name, and email or phone. Another one makes a new privacy notice, which every family is shown once"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Privacy Settings
      </SubmitButton>
    </Form>
  )
}

/** Refetched whenever opened: others may have changed it. */
export const freshContactsQuery = { ...communicationQuery, staleTime: 0 }

export const saveContacts = endpointMutation(saveCommunication, 'identity')

/** The address that opens a chat with the tuckshop, with who asks written into it; null without a number. */
export const chatLink = (whatsappNumber: string, username: string): string | null => {
  const digits = whatsappNumber.replaceAll(/\D/g, '')
  if (!digits) return null
  const text = `Hello, my username is ${username}. I need help with my tuckshop orders.`
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}

const MASKED = "*********(masked)";

/** Property names whose values are secrets, beyond those Spark itself redacts (spark.redaction.regex). */
const SECRET_NAME =
  /secret|passw(or)?d|passphrase|credential|token|access[._-]?key|api[._-]?key|account[._-]?key|private[._-]?key|sas[._-]?|auth(orization)?$/i;

/** Secrets inside any text: what stands before the value is kept, so that a reader sees what it was. */
const SECRET_IN_TEXT: readonly RegExp[] = [
  // key=value and key: value, quoted or not, as in command lines, options and JDBC addresses
  /((?:[\w.-]*(?:secret|passw(?:or)?d|passphrase|credentials?|token|access[._-]?key|api[._-]?key|account[._-]?key|private[._-]?key)(?:[._-]?(?:key|value|string))?|\bpwd)["']?\s*[=:]\s*["']?)([^\s"',;&)}\]]+)/gi,
  // user:password@host in an address
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)([^\s/@]+)(?=@)/gi,
  // signed addresses
  /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|se|token)=)([^&\s"']+)/gi,
  // Authorization headers
  /(\b(?:bearer|basic)\s+)([a-z0-9+/._=-]{12,})/gi,
];

/** Keys that are secrets by their shape. */
const SECRET_SHAPE: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bdapi[a-f0-9]{32}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** A text of a log as a report may show it. */
export function maskText(text: string): string {
  let masked = text;
  for (const pattern of SECRET_IN_TEXT) masked = masked.replace(pattern, `$1${MASKED}`);
  for (const pattern of SECRET_SHAPE) masked = masked.replace(pattern, MASKED);
  return masked;
}

/** A property as a report may show it. */
export function maskProperty(name: string, value: string): string {
  return SECRET_NAME.test(name) && !/^(true|false|\d+)$/.test(value) ? MASKED : maskText(value);
}

/** Every string inside a value, masked; keys stay. What holds no secret is not copied. */
export function maskDeep<T>(value: T): T {
  if (typeof value === "string") return maskText(value) as T;
  if (typeof value !== "object" || value === null) return value;
  const masked: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const safe = maskDeep(item);
    if (safe !== item) masked[key] = safe;
  }
  if (Object.keys(masked).length === 0) return value;
  return (Array.isArray(value) ? Object.assign([...value], masked) : { ...value, ...masked }) as T;
}

/** The fault that keeps a client's configuration file from being changed, as a sentence about it. */
export class ConfigurationFault extends Error {}

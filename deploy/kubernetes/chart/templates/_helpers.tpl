{{- define "sightline.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "sightline.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "sightline.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sightline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "sightline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "sightline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "sightline.environment" -}}
- configMapRef:
    name: {{ include "sightline.name" . }}
- secretRef:
    name: {{ .Values.existingSecret }}
{{- end }}

{{- define "sightline.mounts" -}}
- name: data
  mountPath: /data
- name: temporary
  mountPath: /tmp
{{- if .Values.privateCa }}
- name: private-ca
  mountPath: /etc/sightline/ca
  readOnly: true
{{- end }}
{{- end }}

{{- define "sightline.volumes" -}}
- name: temporary
  emptyDir: {}
{{- if .Values.privateCa }}
- name: private-ca
  configMap:
    name: {{ include "sightline.name" . }}-ca
{{- end }}
{{- end }}
